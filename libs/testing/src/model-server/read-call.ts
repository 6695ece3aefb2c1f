import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { CallBody, Protocol } from './reply.js';

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  switch (request.headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(bytes).toString('utf8');
    case 'deflate':
      return inflateSync(bytes).toString('utf8');
    case 'br':
      return brotliDecompressSync(bytes).toString('utf8');
    case 'zstd':
      return zstdDecompressSync(bytes).toString('utf8');
    default:
      return bytes.toString('utf8');
  }
}

export function protocolOf(path: string): Protocol | null {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/chat/completions')) return 'completions';
  return null;
}

export function parsed(text: string): CallBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as CallBody) : null;
  } catch {
    return null;
  }
}

/** How often the model has answered in this conversation. */
export function turnOf(protocol: Protocol, body: CallBody): number {
  const list = body[protocol === 'responses' ? 'input' : 'messages'];
  if (!Array.isArray(list)) return 0;
  const items = list as { type?: string; role?: string }[];
  const isModels = items.map(({ type, role }) => role === 'assistant' || OF_THE_MODEL.has(type ?? ''));
  return isModels.filter((isIt, at) => isIt && isModels[at - 1] !== true).length;
}

const OF_THE_MODEL = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'reasoning']);

export function toolsOf(body: CallBody): string[] {
  const tools = Array.isArray(body['tools']) ? (body['tools'] as ToolOnWire[]) : [];
  return tools.map(({ name, type, function: inner }) => name ?? inner?.name ?? type ?? '');
}

interface ToolOnWire {
  readonly name?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string };
}
