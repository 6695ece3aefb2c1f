import { z } from 'zod';
import { name } from './registry.js';

export const Liveness = name('Liveness', z.strictObject({ status: z.literal('ok') }));
export type Liveness = z.infer<typeof Liveness>;

export const ReadinessReport = name(
  'Readiness',
  z.strictObject({
    status: z.enum(['ready', 'not-ready']),
    checks: z.record(z.string(), z.strictObject({ ok: z.boolean(), detail: z.string().optional() })),
  }),
);
export type ReadinessReport = z.infer<typeof ReadinessReport>;
