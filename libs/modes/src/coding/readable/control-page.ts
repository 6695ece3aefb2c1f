/** CONTROL.md as a project begins with it. */
export const controlPage = (name: string): string =>
  [
    `# ${name}`,
    '',
    'How this project is steered: through the API of the service, `POST /v1/projects/{id}/commands`.',
    '',
    'Commands: pause, resume, skip, abort, status, retry.',
    '',
  ].join('\n');
