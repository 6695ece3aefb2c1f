import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { BLOT, isSecretField, secrets } from '#kernel';

/** Sends spans on without the secrets in their names, texts and messages. */
export const redacting = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(clean), done),
  shutdown: () => exporter.shutdown(),
  ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
});

/** The span itself where it holds no secret, else one that looks like it. */
function clean(span: ReadableSpan): ReadableSpan {
  const { name, status, attributes, events } = span;
  const told = JSON.stringify([name, status.message ?? '', attributes, events.map((event) => event.attributes ?? {})]);
  if (secrets.redactJsonText(told) === told) return span;
  return Object.create(span, {
    name: { value: secrets.redact(name) },
    status: { value: { ...status, ...(status.message !== undefined && { message: secrets.redact(status.message) }) } },
    attributes: { value: cleanAttributes(attributes) },
    events: {
      value: events.map((event) => ({
        ...event,
        ...(event.attributes && { attributes: cleanAttributes(event.attributes) }),
      })),
    },
  }) as ReadableSpan;
}

type Attributes = ReadableSpan['attributes'];

const cleanAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [secrets.redact(name), cleanValue(name, value)]),
  );

function cleanValue(name: string, value: Attributes[string]): Attributes[string] {
  if (typeof value === 'string') return isSecretField(name, value) ? BLOT : secrets.redact(value);
  return isTexts(value) ? value.map((one) => (typeof one === 'string' ? secrets.redact(one) : one)) : value;
}

/** Items of an array are all of one kind, or missing. */
const isTexts = (value: unknown): value is (string | null | undefined)[] =>
  Array.isArray(value) && value.some((one) => typeof one === 'string');
