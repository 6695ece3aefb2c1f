import { context, trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger, pino } from 'pino';
import { secrets } from '#kernel';
import { currentProject } from './spans.js';

export type { Logger } from 'pino';

export interface LoggerSettings {
  readonly logLevel: string;
  readonly name: string;
}

/** JSON lines. Each carries the project and the trace that it was written in, where there is one. */
export function createLogger({ logLevel, name }: LoggerSettings, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', '*.authorization', '*.*.authorization', 'cookie', '*.cookie', '*.*.cookie'],
      censor: '[redacted]',
    },
    serializers: { error: pino.stdSerializers.err },
    mixin: activeContext,
    // A key may also be in a message or a URL: nothing that is one, or looks like one, leaves the process.
    hooks: { streamWrite: (line: string) => `${secrets.redactJsonText(line.trimEnd())}\n` },
  };
  return destination ? pino(options, destination) : pino(options);
}

function activeContext(): Record<string, string> {
  const span = trace.getSpanContext(context.active());
  const projectId = currentProject();
  return {
    ...(projectId !== undefined && { projectId }),
    ...(span && { traceId: span.traceId }),
    // A span of another process says nothing about where in this one the line was written.
    ...(span && !span.isRemote && { spanId: span.spanId }),
  };
}
