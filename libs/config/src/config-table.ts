import { z } from 'zod';
import { Environment } from './environment.js';

/** The table of the README. */
export function configTable(): string {
  const { properties = {} } = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { default: preset, description = '', enum: options } = schema as z.core.JSONSchema.BaseSchema;
    const allowed = options ? ` (${options.map((option) => `\`${String(option)}\``).join(', ')})` : '';
    return `| \`${name}\` | ${typeof preset === 'string' ? `\`${preset}\`` : ''} | ${description}${allowed} |`;
  });
  return ['| variable | default | what it is for |', '| --- | --- | --- |', ...rows].join('\n') + '\n';
}
