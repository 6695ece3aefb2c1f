import type { NewCall, Settlement } from '#models';
import { type BinaryArray, ints, texts, uuids } from '../projects/binary-array.js';

export interface WantedCall {
  readonly rootId: string;
  readonly call: NewCall;
}

export interface WantedSettlement {
  readonly id: string;
  readonly rootId: string;
  readonly settlement: Settlement;
}

const LONGEST_TEXT = 300;

/** Much of it comes from outside: what Postgres cannot hold is left out, and nobody fills the ledger with a novel. */
const storable = (text: string | null): string | null =>
  text === null ? null : text.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\u0000', '');

/** Their places in the batch are how the answers find them. */
export function reserveColumns(placed: readonly (readonly [place: number, wanted: WantedCall])[]): BinaryArray[] {
  const wanted = placed.map(([, one]) => one);
  const calls = wanted.map(({ call }) => call);
  const abouts = calls.map(({ about }) => about);
  return [
    ints(placed.map(([place]) => place)),
    uuids(calls.map(({ id }) => id)),
    uuids(wanted.map(({ rootId }) => rootId)),
    uuids(abouts.map(({ lease }) => lease.projectId)),
    texts(abouts.map(({ lease }) => lease.workerId)),
    ints(abouts.map(({ lease }) => lease.epoch)),
    texts(abouts.map(({ state }) => storable(state))),
    texts(abouts.map(({ agent }) => storable(agent))),
    texts(abouts.map(({ purpose }) => storable(purpose))),
    ints(abouts.map(({ attempt }) => attempt)),
    texts(abouts.map(({ tier }) => tier)),
    texts(calls.map(({ model }) => storable(model.provider))),
    texts(calls.map(({ model }) => storable(model.model))),
    ints(calls.map(({ isSimulated }) => (isSimulated ? 1 : 0))),
    texts(abouts.map(({ effect }) => effect.key)),
    ints(abouts.map(({ effect }) => effect.run)),
    texts(calls.map(({ reserved }) => reserved.nanoUsd.toString())),
    texts(calls.map(({ reserved }) => String(reserved.tokens))),
    texts(calls.map(({ priceVersion }) => storable(priceVersion))),
    texts(calls.map(({ traceId }) => storable(traceId))),
    texts(abouts.map(({ prompt }) => storable(prompt))),
  ];
}

export function settleColumns(wanted: readonly WantedSettlement[]): BinaryArray[] {
  const all = wanted.map(({ settlement }) => settlement);
  return [
    uuids(wanted.map(({ id }) => id)),
    uuids(wanted.map(({ rootId }) => rootId)),
    texts(all.map(({ status }) => status)),
    ints(all.map(({ usage }) => usage?.input)),
    ints(all.map(({ usage }) => usage?.output)),
    ints(all.map(({ usage }) => usage?.cacheRead)),
    ints(all.map(({ usage }) => usage?.cacheWrite)),
    ints(all.map(({ usage }) => usage?.reasoning)),
    texts(all.map(({ costNanoUsd }) => costNanoUsd?.toString())),
    texts(all.map(({ counted }) => counted.nanoUsd.toString())),
    texts(all.map(({ counted }) => String(counted.tokens))),
    ints(all.map(({ durationMs }) => Math.min(durationMs, 2 ** 31 - 1))),
    texts(all.map(({ answeredBy }) => storable(answeredBy))),
    texts(all.map(({ errorCode }) => storable(errorCode))),
  ];
}
