import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';

/** Keeps what it was given, also after a shutdown. */
export class KeepingExporter extends InMemorySpanExporter {
  readonly kept: ReadableSpan[] = [];
  override export(...[spans, done]: Parameters<InMemorySpanExporter['export']>): void {
    this.kept.push(...spans);
    super.export(spans, done);
  }
}
