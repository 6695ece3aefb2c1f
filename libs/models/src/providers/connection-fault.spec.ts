import { expect, it } from 'vitest';
import { connectionFault, type ConnectionFault } from './connection-fault.js';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error('some words'), { code, ...more });
const failed = (cause: unknown): Error => new TypeError('fetch failed', { cause });
const handshake = 'Client network socket disconnected before secure TLS connection was established';

const ROWS: readonly (readonly [what: string, error: unknown, kind: ConnectionFault['kind'] | undefined])[] = [
  ['nobody listens', failed(coded('ECONNREFUSED')), 'unreachable'],
  ['no way there in time', failed(coded('ETIMEDOUT', { syscall: 'connect' })), 'unreachable'],
  [
    'no way there in time, by any of its addresses',
    failed(Object.assign(new AggregateError([coded('ETIMEDOUT', { syscall: 'connect' })]), { code: 'ETIMEDOUT' })),
    'unreachable',
  ],
  ['a firewall in between', failed(coded('EACCES', { syscall: 'connect' })), 'unreachable'],
  ['a line that broke before it was safe', failed(Object.assign(new Error(handshake), { code: 'ECONNRESET' })), 'unreachable'],
  ['a line that broke', failed(coded('ECONNRESET', { syscall: 'read' })), 'broken'],
  ['a line that fell silent', failed(coded('ETIMEDOUT', { syscall: 'read' })), 'broken'],
  ['another’s certificate', failed(coded('CERT_HAS_EXPIRED')), 'certificate'],
  ['a port that fetch refuses', failed(new Error('bad port')), 'address'],
  ['a protocol that fetch refuses', failed(new Error('unknown scheme')), 'address'],
  ['an address that is none', coded('ERR_INVALID_URL'), 'address'],
  ['a line break in a key', new TypeError('Headers.append: "x\ny" is an invalid header value.'), 'header'],
  ['a letter that no header carries', new TypeError('Cannot convert argument to a ByteString because …'), 'header'],
  ['words of a server that sound like it', new Error('bad port'), undefined],
  ['anything else', failed(new Error('who knows')), undefined],
  ['nothing', null, undefined],
]; // prettier-ignore

it.each(ROWS)('%s', (_what, error, kind) => {
  expect(connectionFault(error)?.kind).toBe(kind);
});

it('what is wrong with a header or an address is said without the secret in it', () => {
  const fault = connectionFault(new TypeError('Headers.append: "Bearer the-key\n" is an invalid header value.'));
  expect(JSON.stringify(fault)).not.toContain('the-key');
  const refused = 'Request cannot be constructed from a URL that includes credentials: http://user:the-key@x';
  const address = connectionFault(new TypeError(refused));
  expect(address?.kind).toBe('address');
  expect(JSON.stringify(address)).not.toContain('the-key');
});
