import { z } from 'zod';
import { listOf, pageQuery } from './list.js';
import { name } from './registry.js';
import { isoTime, text } from './text.js';

export const WebhookType = z.enum([
  'project.state_changed',
  'project.waiting',
  'project.blocked',
  'project.completed',
  'project.aborted',
  'project.failed',
  'budget.exceeded',
]);
export type WebhookType = z.infer<typeof WebhookType>;

const url = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .describe('https, on the public internet; QRALPH_WEBHOOK_ALLOW names exceptions');
const types = z.array(WebhookType).max(WebhookType.options.length).describe('Which are told; empty: all');

/** The endpoint of one project, as its start gives it. */
export const ProjectWebhook = z.strictObject({ url, types: types.optional() });

export const NewWebhook = name(
  'NewWebhook',
  z.strictObject({ url, types: types.default([]), description: text(0, 500).nullable().default(null) }),
);
export type NewWebhook = z.infer<typeof NewWebhook>;

export const ChangeWebhook = name(
  'ChangeWebhook',
  z.strictObject({
    url: url.optional(),
    types: types.optional(),
    description: text(0, 500).nullable().optional(),
    enabled: z.boolean().optional().describe('What is still to be sent is given up when it is switched off'),
  }),
);
export type ChangeWebhook = z.infer<typeof ChangeWebhook>;

const shape = {
  id: z.uuid(),
  projectId: z.uuid().nullable().describe('Null: told of every project'),
  url: z.string(),
  types: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  failingSince: isoTime.nullable().describe('Since a delivery was given up; null again with the next that arrives'),
  restsUntil: isoTime
    .nullable()
    .describe('It asked for a rest, or its name has no address: until then only what a person wants sent is sent'),
  previousSecretUntil: isoTime.nullable().describe('So long messages are signed with the secret before, too'),
  createdAt: isoTime,
  updatedAt: isoTime,
};

export const WebhookEndpoint = name('WebhookEndpoint', z.strictObject(shape));
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Null in an answer that is given again under an Idempotency-Key: it was shown. */
const secret = z.string().nullable().describe('Shown this once; null where the answer is a repeated one');

export const WebhookWithSecret = name('WebhookWithSecret', z.strictObject({ ...shape, secret }));
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const StartedWebhook = z.strictObject({ id: z.uuid(), url: z.string(), secret });
export type StartedWebhook = z.infer<typeof StartedWebhook>;

export const RotateSecret = name(
  'RotateSecret',
  z.strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .describe('How long messages are signed with the old one too'),
  }),
);
export type RotateSecret = z.infer<typeof RotateSecret>;

export const WebhookList = name('WebhookList', listOf(WebhookEndpoint));
export const WebhookQuery = z.strictObject({
  ...pageQuery,
  projectId: z.uuid().optional().describe('Those of this project'),
});
export type WebhookQuery = z.infer<typeof WebhookQuery>;

export const DeliveryOutcome = z.enum(['pending', 'delivered', 'failed']);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

export const WebhookDelivery = name(
  'WebhookDelivery',
  z.strictObject({
    id: z.uuid().describe('`webhook-id`: the same over all attempts'),
    webhookId: z.uuid(),
    projectId: z.uuid().nullable().describe('Null: a test'),
    type: z.string(),
    outcome: DeliveryOutcome,
    reason: z.string().nullable().describe('Why it was given up'),
    attempts: z
      .array(
        z.strictObject({
          number: z.int(),
          at: isoTime,
          status: z.int().nullable().describe('Null: there was no answer'),
          error: z.string().nullable(),
          ms: z.int().nullable().describe('Null: it is under way, or whoever sent it died'),
        }),
      )
      .describe('The newest 25, in order'),
    createdAt: isoTime,
    dueAt: isoTime.nullable().describe('When it is sent next; null where it has ended'),
    finishedAt: isoTime.nullable(),
  }),
);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const DeliveryList = name('DeliveryList', listOf(WebhookDelivery));
export const DeliveryQuery = z.strictObject({ ...pageQuery, outcome: DeliveryOutcome.optional() });
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const WebhookParams = z.strictObject({ id: z.uuid() });
export const DeliveryParams = z.strictObject({ id: z.uuid(), deliveryId: z.uuid() });
