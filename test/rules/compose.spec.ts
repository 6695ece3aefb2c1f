import { load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { filesBelow, textOf } from './source-files.js';

interface Service {
  readonly image?: string;
  readonly build?: string | { readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly security_opt?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly deploy?: { readonly replicas: number };
}

const read = (path: string): unknown => load(textOf(path), { schema: YAML11_SCHEMA });
const { services, volumes } = read('docker-compose.yml') as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const all = Object.entries(services);

/** The environment as it is when no variable is set outside. */
function withDefaults(environment: Readonly<Record<string, string>> = {}): Record<string, string> {
  const settled = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return Object.fromEntries(settled) as Record<string, string>;
}

describe('docker-compose.yml', () => {
  it('has the service, its stores and what watches over them', () => {
    expect(Object.keys(services).sort()).toEqual(
      ['grafana', 'jaeger', 'orchestrator', 'otel-collector', 'postgres', 'prometheus', 'redis', 'worker'].sort(),
    );
  });

  it('asks every container for its health, and starts nobody before what it needs is healthy', () => {
    expect(all.filter(([, { healthcheck }]) => !healthcheck?.test.length).map(([name]) => name)).toEqual([]);
    const needs = all.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    expect(needs.length).toBeGreaterThan(0);
    expect(needs.filter(([name, { condition }]) => !services[name] || condition !== 'service_healthy')).toEqual([]);
  });

  it('publishes on the loopback address alone', () => {
    const published = all.flatMap(([, { ports = [] }]) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('pins every image, and needs no variable to be set', () => {
    const images = all.flatMap(([, { image }]) => image ?? []);
    expect(images.filter((image) => !/:[\w.-]+$/.test(image) || image.endsWith(':latest'))).toEqual([]);
    const variables = textOf('docker-compose.yml').match(/\$\{[^}]*\}/g) ?? [];
    expect(variables.filter((variable) => !variable.includes(':-'))).toEqual([]);
  });

  it('gives both parts of the service an environment they accept, and leaves the driving to the workers', () => {
    const orchestrator = loadConfig(withDefaults(services['orchestrator']?.environment));
    expect(orchestrator).toMatchObject({ hostsWorker: false, host: '0.0.0.0', tracing: { isExporting: true } });
    const worker = loadConfig(withDefaults(services['worker']?.environment));
    expect(worker).toMatchObject({ dataDir: orchestrator.dataDir, databaseUrl: orchestrator.databaseUrl });
    expect(services['worker']?.deploy?.replicas).toBeGreaterThan(1);
  });

  it('lets the workers, and nobody else, make the namespaces that sandboxes are of, with no further right', () => {
    const loosened = all.filter(([, one]) => one.security_opt ?? one.cap_add ?? one.privileged);
    const options = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'];
    expect(loosened.map(([name]) => name)).toEqual(['worker']);
    expect(services['worker']).toMatchObject({ security_opt: options });
    expect([services['worker']?.cap_add, services['worker']?.privileged]).toEqual([undefined, undefined]);
    expect(textOf('docker/Dockerfile')).toMatch(/apt-get install .*\bbubblewrap\b/);
  });

  it('has a Redis that keeps what it is given', () => {
    expect(services['redis']?.command).toEqual(
      expect.arrayContaining(['--maxmemory-policy=noeviction', '--appendonly=yes']),
    );
  });

  it('mounts only files and volumes that exist', () => {
    const files = filesBelow('docker');
    const mounts = all.flatMap(([, service]) => (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? ''));
    const isThere = (mount: string): boolean =>
      mount.startsWith('./')
        ? files.some((file) => file === mount.slice(2) || file.startsWith(`${mount.slice(2)}/`))
        : Object.hasOwn(volumes, mount) || mount.startsWith('${');
    expect(mounts.filter((mount) => !isThere(mount))).toEqual([]);
  });

  it.each(filesBelow('docker').filter((path) => /\.ya?ml$/.test(path)))('%s is readable', (path) => {
    expect(read(path)).toBeTypeOf('object');
  });
});
