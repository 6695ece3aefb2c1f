import { createSocket } from 'node:dgram';

/** The address of a name for its nth question, null: silence. Of IPv6 it has nothing. */
export type Zone = (name: string, nth: number) => string | null;

export interface NameServer {
  readonly address: string;
  close(): Promise<void>;
}

const TYPE_A = 1;

/** A name server on this machine, as small as one can be: the header, the question as it came, one record. */
export async function openNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const nth = (asked.get(name) ?? 0) + (type === TYPE_A ? 1 : 0);
    asked.set(name, nth);
    const found = zone(name, nth);
    if (found === null) return;
    const records = type === TYPE_A ? [recordOf(found)] : [];
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name in the question, in the internet, kept for no second. */
const recordOf = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
