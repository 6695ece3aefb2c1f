import { z } from 'zod';
import { Principal, Scope } from './api-key.js';
import { name } from './registry.js';

export const ServiceFacts = z.strictObject({
  version: z.string(),
  node: z.string(),
  git: z.string().nullable().describe('Its version; null where the service finds none'),
  database: z.enum(['embedded', 'external']),
  queue: z.enum(['postgres', 'redis']),
  worker: z.boolean().describe('Whether this process drives projects itself'),
  sandbox: z.enum(['bubblewrap', 'limited', 'none']).describe('The best that the machine can, for agents’ commands'),
  providers: z.array(z.string()).describe('Providers of models that are configured'),
  simulated: z.boolean().describe('None is: a playbook stands in for models'),
  repoRoots: z.array(z.string()).describe('Folders whose repositories may be worked on'),
});
export type ServiceFacts = z.infer<typeof ServiceFacts>;

export const ServiceView = name(
  'Service',
  z.strictObject({
    ...ServiceFacts.shape,
    caller: z
      .strictObject({ keyId: z.uuid(), principal: Principal, scopes: z.array(Scope) })
      .describe('Who the key of this request belongs to, and what it may do'),
  }),
  'What a service is made of and who asks: for whoever sets one up',
);
export type ServiceView = z.infer<typeof ServiceView>;
