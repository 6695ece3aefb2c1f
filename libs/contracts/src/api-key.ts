import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { isoTime, text } from './text.js';

export const Scope = z.enum(['projects:read', 'projects:write', 'gates:decide', 'admin']);
export type Scope = z.infer<typeof Scope>;

export const Principal = z.enum(['human', 'service']);
export type Principal = z.infer<typeof Principal>;

export const CreateApiKey = name(
  'CreateApiKey',
  z.strictObject({
    name: text(1, 100),
    principal: Principal,
    scopes: z.array(Scope).min(1).max(Scope.options.length),
    expiresAt: isoTime.optional(),
  }),
);
export type CreateApiKey = z.infer<typeof CreateApiKey>;

const shape = {
  id: z.uuid(),
  name: z.string(),
  principal: Principal,
  scopes: z.array(Scope),
  createdAt: isoTime,
  expiresAt: isoTime.nullable(),
  revokedAt: isoTime.nullable(),
};

export const ApiKey = name('ApiKey', z.strictObject(shape));
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = name('NewApiKey', z.strictObject({ ...shape, key: z.string().describe('Shown this once') }));
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKeyList = name('ApiKeyList', listOf(ApiKey));
export const ApiKeyParams = z.strictObject({ id: z.string().min(1).max(100) });
