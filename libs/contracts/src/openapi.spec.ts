import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { openApiDocument, openApiText } from './openapi.js';
import { WaitingFor } from './project.js';
import type { Route } from './route.js';
import { routes } from './routes.js';

const committed = new URL('../../../docs/openapi.json', import.meta.url);

describe('the OpenAPI document', () => {
  it('is committed as the contracts make it (else: npm run build && node scripts/openapi.mjs)', () => {
    expect(readFileSync(committed, 'utf8')).toBe(openApiText());
  });

  it('has every route once', () => {
    const paths = openApiDocument()['paths'] as Record<string, Record<string, { operationId: string }>>;
    const described = Object.values(paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
    expect(described.sort()).toEqual(Object.keys(routes).sort());
  });

  it('refers only to schemas it has', () => {
    const text = openApiText();
    const { components } = openApiDocument() as { components: { schemas: Record<string, unknown> } };
    const referred = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(referred.length).toBeGreaterThan(10);
    for (const target of referred) {
      expect(target).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(Object.keys(components.schemas)).toContain(target.slice('#/components/schemas/'.length));
    }
  });

  it('names each parameter of a path in the schema of its parameters', () => {
    for (const route of Object.values<Route>(routes)) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath);
    }
  });

  it('says of a named schema what it says of itself', () => {
    expect(openApiDocument()).toHaveProperty('components.schemas.WaitingFor.description', WaitingFor.description);
    expect(WaitingFor.description).toContain('nothing happens');
  });

  it('has every answer that is no failure: an ended stream, and a service that is not ready', () => {
    const paths = openApiDocument()['paths'] as Record<string, { get: { responses: Record<string, JsonObject> } }>;
    const events = paths['/v1/projects/{id}/events']?.get.responses ?? {};
    expect(Object.keys(events)).toEqual(['200', '204', '400', '401', '403', '404', '503']);
    expect(events['204']).not.toHaveProperty('content');
    const ready = paths['/health/ready']?.get.responses ?? {};
    expect(ready['503']?.['content']).toEqual(ready['200']?.['content']);
  });

  it('has one limit for the tokens of a budget, at the start and later', () => {
    for (const path of ['ChangeBudget.properties', 'StartProject.properties.budget.properties']) {
      expect(openApiDocument()).toHaveProperty(`components.schemas.${path}.tokens.maximum`, 1_000_000_000_000);
    }
  });

  it('never stores an answer that carries a secret', () => {
    const table: Record<string, Route> = routes;
    expect(table['createApiKey']?.isIdempotent).toBeUndefined();
  });
});
