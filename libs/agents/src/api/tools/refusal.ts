/** Thrown inside a tool when a call cannot be done as asked; its text goes back to the model, which may try otherwise. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}
