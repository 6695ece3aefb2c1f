import { Counter, Histogram, type Registry } from 'prom-client';
import type { SpanFacts } from '#kernel';
import { METRIC } from './names.js';

const TOKEN_CLASSES = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const;

/** Figures of model calls, by the names of the GenAI conventions where these have some. */
export function modelFigures(registers: Registry[]): (facts: SpanFacts, seconds: number) => void {
  const labelNames = ['provider', 'model'];
  const calls = new Counter({
    name: METRIC.modelCalls,
    help: 'Calls of models by how they ended',
    labelNames: [...labelNames, 'status'],
    registers,
  });
  const tokens = new Histogram({
    name: METRIC.tokens,
    help: 'Tokens of a call by class; reasoning is a part of output',
    labelNames: [...labelNames, 'type'],
    buckets: [1, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576],
    registers,
  });
  const durations = new Histogram({
    name: METRIC.modelDuration,
    help: 'How long a call of a model took',
    labelNames,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640],
    registers,
  });
  const cost = new Counter({
    name: METRIC.cost,
    help: 'Dollars spent, as far as prices are known',
    labelNames,
    registers,
  });
  return (facts, seconds) => {
    const labels = { provider: text(facts['provider']), model: text(facts['model']) };
    calls.inc({ ...labels, status: text(facts['status']) });
    durations.observe(labels, seconds);
    for (const type of TOKEN_CLASSES) {
      const count = facts[type];
      if (typeof count === 'number' && count > 0) tokens.observe({ ...labels, type }, count);
    }
    const usd = Number(facts['costUsd'] ?? 0);
    if (usd > 0) cost.inc(labels, usd);
  };
}

const text = (fact: SpanFacts[string] | undefined): string =>
  fact === undefined || fact === null ? 'unknown' : String(fact);
