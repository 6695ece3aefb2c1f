/** What speaks for a domain in a request, and which files of a repository support it. */
export interface DomainSigns {
  readonly domain: string;
  /** Words and phrases, comma-separated. */
  readonly says: string;
  /** Tested against the last characters of a path. */
  readonly files: RegExp | null;
}

export const DOMAIN_TABLE: readonly DomainSigns[] = [
  {
    domain: 'architecture',
    says: `architecture, architectural, refactor, refactoring, restructure, redesign, modular, module boundary, coupling,
      decouple, microservice, monolith, domain model, event driven, abstraction, design pattern, dependency injection,
      plugin system, extract a library, state machine, technical debt, system design, circular dependency`,
    files: null,
  },
  {
    domain: 'backend',
    says: `api, backend, back end, server, server side, endpoint, graphql, grpc, webhook, route, controller,
      middleware, handler, queue, worker, cron, background job, message broker, http, rpc, websocket, service layer,
      business logic, rate limit, pagination, idempotency, nestjs, express, django, flask, fastapi, rails, spring boot`,
    files:
      /(?:\.controller\.ts|\.service\.ts|\.go|\.rb|\.php|\.java|\.rs|_controller\.\w{1,5}|(?:^|\/)(?:routes|controllers|server)\/[^/]+)$/,
  },
  {
    domain: 'data',
    says: `database, data model, schema, sql, query, migration, migrate the data, postgres, postgresql, mysql, sqlite,
      mongodb, redis, orm, prisma, etl, data pipeline, warehouse, dataset, csv, parquet, analytics, transaction, backfill,
      foreign key, primary key, data loss, replication, deduplicate, data import, data export`,
    files: /(?:\.sql|\.prisma|\.parquet|\.ipynb|(?:^|\/)migrations?\/[^/]+)$/,
  },
  {
    domain: 'documentation',
    says: `documentation, document, docs, readme, changelog, guide, tutorial, api reference, docstring, jsdoc,
      typo, release notes, how to page, code comment, wiki, getting started`,
    files: /(?:^|\/)docs?\/.*\.(?:md|mdx|rst|adoc)$/,
  },
  {
    domain: 'frontend',
    says: `ui, ux, user interface, frontend, front end, web page, page, button, form, dialog, modal, dropdown, menu,
      navigation, navbar, sidebar, layout, css, style sheet, stylesheet, tailwind, html, react, vue, svelte, angular,
      component, dashboard, dark mode, theme, responsive, mobile view, accessibility, a11y, aria, screen reader,
      keyboard navigation, animation, tooltip, icon, landing page, browser, toast, wizard, user experience`,
    files: /\.(?:tsx|jsx|vue|svelte|css|scss|less|html)$/,
  },
  {
    domain: 'infrastructure',
    says: `infrastructure, deploy, deployment, devops, docker, dockerfile, container, kubernetes, k8s, helm, terraform,
      ansible, ci, cd, pipeline, github action, gitlab ci, build server, aws, gcp, azure, cloud, load balancer, nginx,
      observability, monitoring, alerting, logging, telemetry, tracing, opentelemetry, rollback, health check,
      environment variable, systemd, backup, release process, autoscaling`,
    files:
      /(?:(?:^|\/)(?:dockerfile|jenkinsfile|(?:docker-)?compose\.ya?ml)|\.tf|(?:^|\/)\.github\/workflows\/[^/]+)$/i,
  },
  {
    domain: 'performance',
    says: `performance, slow, slowness, speed up, faster, latency, throughput, memory leak, memory usage, optimise,
      optimize, optimisation, optimization, profiling, profiler, benchmark, cache, caching, bottleneck, n 1 query,
      lazy load, lazy loading, bundle size, load time, cpu usage, hot path, scalability, response time, high load`,
    files: null,
  },
  {
    domain: 'product',
    says: `product requirement, product manager, user story, acceptance criteria, requirement, roadmap, mvp, feature flag, onboarding, pricing,
      subscription, checkout flow, stakeholder, use case, conversion, user research, a b test, persona,
      sign up flow, free trial`,
    files: null,
  },
  {
    domain: 'security',
    says: `security, secure, insecure, vulnerability, cve, exploit, auth, authentication, authenticate, authorization,
      authorisation, authorize, login, log in, sign in, sign up, password, passphrase, secret, credential, api key,
      access token, refresh token, jwt, oauth, oidc, saml, sso, mfa, 2fa, permission, access control, rbac, role, session,
      cookie, csrf, xss, cors, injection, sanitise, sanitize, encrypt, encryption, decrypt, tls, certificate,
      privacy, gdpr, personal data, audit log, path traversal, ssrf, sandbox, rate limit, brute force, file upload`,
    files: null,
  },
  {
    domain: 'testing',
    says: `test, testing, tested, unit test, integration test, e2e, end to end, coverage, flaky, regression, vitest, jest,
      pytest, playwright, cypress, mock, stub, fixture, test suite, tdd, assertion, snapshot test, property based`,
    files: /(?:[._-](?:test|spec)\.\w{1,5}|(?:^|\/)test_[^/]+\.py|_test\.go)$/,
  },
];
