import { z } from 'zod';
import { Environment } from './environment.js';

/** The table of the README. */
export const configTable = (): string => tableOf(Environment);

/** Variables as a table of a page. */
export function tableOf(variables: z.ZodObject): string {
  const { properties = {} } = z.toJSONSchema(variables, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { default: preset, description = '', enum: options } = schema as z.core.JSONSchema.BaseSchema;
    const allowed = options ? ` (${options.map((option) => `\`${String(option)}\``).join(', ')})` : '';
    return `| \`${name}\` | ${typeof preset === 'string' ? `\`${preset}\`` : ''} | ${description}${allowed} |`;
  });
  return ['| variable | default | what it is for |', '| --- | --- | --- |', ...rows].join('\n') + '\n';
}
