import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMachine, initialSnapshot } from '#engine';
import type { Json } from '#kernel';
import { forgeLink, GENESIS, valueOf } from './link.js';
import { lastGoodLink, revived } from './restore.js';
import { readBody, snapshotOf, type StoredLink, verifyChain } from './verify.js';

const machine = defineMachine('m', 1, { A: { do: 'a', on: { go: 'B' } }, B: { end: 'completed' } }, { abortTo: 'B' });
const facts = { id: '00000000-0000-7000-8000-000000000001', machine: 'm', machineVersion: 1 };
const KEY = 'a key that is not in the database';

function chainOf(contexts: readonly Record<string, Json>[], key: string | null = null) {
  const contents = new Map<string, Buffer>();
  const links: StoredLink[] = [];
  contexts.forEach((context, index) => {
    const manifest = Object.fromEntries(
      Object.entries(context).map(([name, json]) => {
        const { ref, content } = valueOf(json);
        if (content) contents.set(ref, content);
        return [name, ref];
      }),
    );
    const snapshot = { ...initialSnapshot(machine, context), visit: index + 1 };
    const prev = links.at(-1)?.checksum ?? GENESIS;
    links.push({
      ...forgeLink({ facts, snapshot, seq: index + 1, prev, manifest, cause: 'go', epoch: 1 }, key),
      quarantined: null,
    });
  });
  const anchor = { projectId: facts.id, version: links.length, checksum: links.at(-1)?.checksum ?? GENESIS };
  const verify = (changed: readonly StoredLink[] = links, sealingKey = key) =>
    verifyChain(changed, anchor, (hash) => contents.get(hash), sealingKey).faults;
  return { links, contents, anchor, verify };
}

const contexts = fc.array(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue() as fc.Arbitrary<Json>), {
  minLength: 2,
  maxLength: 8,
});
const three = chainOf([{ n: 1 }, { n: 2, text: 'x' }, { n: 3 }, { n: 4 }]);
const replaced = (links: readonly StoredLink[], seq: number, change: Partial<StoredLink>): StoredLink[] =>
  links.map((link) => (link.seq === seq ? { ...link, ...change } : link));

describe('the chain of checkpoints', () => {
  it('verifies whatever the contexts hold, sealed or not, and gives back what was put in', () => {
    fc.assert(
      fc.property(contexts, fc.boolean(), (list, isSealed) => {
        const { links, verify } = chainOf(list, isSealed ? KEY : null);
        expect(verify()).toEqual([]);
        const body = readBody(links[0]!);
        expect(snapshotOf(body!, list[0]!)).toEqual({ ...initialSnapshot(machine, list[0]!), visit: 1 });
      }),
    );
  });

  it('names the link whose body lost or changed any single bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.nat(), fc.integer({ min: 0, max: 7 }), (seq, at, bit) => {
        const body = Buffer.from(three.links[seq - 1]!.body);
        body[at % body.length]! ^= 1 << bit;
        expect(three.verify(replaced(three.links, seq, { body }))[0]).toMatchObject({ seq });
      }),
    );
  });

  it('names the link whose body was cut anywhere', () => {
    const { body } = three.links[1]!;
    for (let length = 0; length < body.length; length += 1) {
      expect(three.verify(replaced(three.links, 2, { body: body.subarray(0, length) }))[0]).toMatchObject({ seq: 2 });
    }
  });

  it('finds a valid edit even when the editor recomputed that link', () => {
    const body = Buffer.from(Buffer.from(three.links[1]!.body).toString().replace('"visit":2', '"visit":9'));
    const { prev, manifest } = three.links[1]!;
    const snapshot = { ...initialSnapshot(machine, {}), visit: 9 };
    const forged = forgeLink({ facts, snapshot, seq: 2, prev, manifest, cause: 'go', epoch: 1 }, null);
    expect(three.verify(replaced(three.links, 2, { body }))[0]).toMatchObject({ seq: 2 });
    expect(three.verify(replaced(three.links, 2, forged))[0]).toEqual({
      seq: 2,
      reason: 'the link is not the one that the next link follows',
    });
  });

  it('finds an edit of the newest link by the anchor, and of any link by its seal', () => {
    const sealed = chainOf([{ n: 1 }, { n: 2 }], KEY);
    const { prev, manifest } = sealed.links[1]!;
    const snapshot = { ...initialSnapshot(machine, {}), visit: 9 };
    const forged = forgeLink({ facts, snapshot, seq: 2, prev, manifest, cause: 'go', epoch: 1 }, 'another key');
    expect(sealed.verify(replaced(sealed.links, 2, forged))[0]).toEqual({ seq: 2, reason: 'the seal does not match' });
    expect(sealed.verify(replaced(sealed.links, 2, forged), null)[0]).toEqual({
      seq: 2,
      reason: 'the newest link is not the one the project was left with',
    });
  });

  it('names missing, swapped and replayed links', () => {
    const [first, second, third, fourth] = three.links as [StoredLink, StoredLink, StoredLink, StoredLink];
    expect(three.verify([first, second, third])).toEqual([{ seq: 4, reason: 'the link is missing' }]);
    expect(three.verify([first, third, fourth])).toEqual([{ seq: 2, reason: 'the link is missing' }]);
    expect(three.verify([])).toHaveLength(4);
    const swapped = [first, { ...third, seq: 2 }, { ...second, seq: 3 }, fourth];
    expect(three.verify(swapped).map((fault) => fault.seq)).toEqual([2, 3]);
    expect(three.verify([first, second, third, { ...second, seq: 4 }])[0]).toMatchObject({ seq: 4 });
  });

  it('names a value that is gone or is not what its hash says', () => {
    const { links, contents, verify } = chainOf([
      { n: 1 },
      { text: 'kept by its hash, since it is too long to stand in the manifest'.repeat(3) },
    ]);
    const hash = links[1]!.manifest['text']!;
    contents.set(hash, Buffer.from('"other"'));
    expect(verify()).toEqual([{ seq: 2, reason: 'the value of text does not match its hash' }]);
    contents.delete(hash);
    expect(verify()).toEqual([{ seq: 2, reason: 'the value of text is missing' }]);
  });

  it('finds a tail that was cut off together with the project’s row, by what the workspace remembers', () => {
    const { links, contents, anchor } = three;
    const cut = { ...anchor, version: 2, checksum: links[1]!.checksum };
    const witnesses = [links[0]!, links[3]!].map(({ seq, checksum }) => ({ seq, checksum }));
    const faults = (seen: typeof witnesses) =>
      verifyChain(links.slice(0, 2), cut, (hash) => contents.get(hash), null, seen).faults;
    expect(faults([])).toEqual([]);
    expect(faults(witnesses)).toEqual([{ seq: 4, reason: 'the workspace remembers another link in this place' }]);
  });

  it('keeps short values in the manifest itself, where the checksum covers them', () => {
    const { links, contents, verify } = chainOf([{ n: 1 }, { n: 2, flag: true }]);
    expect([...contents]).toEqual([]);
    expect(links[1]!.manifest).toEqual({ n: '=2', flag: '=true' });
    expect(verify(replaced(links, 2, { manifest: { n: '=3', flag: '=true' } }))[0]).toMatchObject({ seq: 2 });
  });

  it('keeps a quarantined link bad, and judges the one after it by itself', () => {
    const quarantined = replaced(three.links, 2, { quarantined: 'seen bad before' });
    expect(three.verify(quarantined)).toEqual([{ seq: 2, reason: 'seen bad before' }]);
    expect(lastGoodLink(quarantined, three.verify(quarantined))?.seq).toBe(4);
    expect(lastGoodLink(three.links.slice(0, 3), three.verify(three.links.slice(0, 3)))?.seq).toBe(3);
    expect(lastGoodLink([], [])).toBeNull();
  });

  it('revives a snapshot as a new incarnation that shares no effect, timer or decision with the past', () => {
    const past = { ...initialSnapshot(machine, {}), visit: 3, wait: { kind: 'children', keys: ['a'] } as const };
    expect(revived(past, { incarnation: 4, visit: 9 })).toMatchObject({ incarnation: 5, visit: 10, wait: null });
  });
});
