-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "number" INTEGER,
    "name" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "machine_version" INTEGER NOT NULL,
    "request" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "options" TEXT NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "repo_path" TEXT,
    "repo_ref" TEXT,
    "parent_id" UUID,
    "parent_key" TEXT,
    "parent_incarnation" INTEGER,
    "parent_visit" INTEGER,
    "started_by" TEXT NOT NULL,
    "traceparent" TEXT,
    "state" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "waiting" TEXT,
    "version" INTEGER NOT NULL,
    "head_checksum" TEXT NOT NULL,
    "runnable" BOOLEAN NOT NULL,
    "lease_worker" TEXT,
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "writes" INTEGER NOT NULL DEFAULT 0,
    "signal_seq" INTEGER NOT NULL DEFAULT 0,
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "project_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "prev" TEXT NOT NULL,
    "checksum" TEXT NOT NULL,
    "seal" TEXT,
    "body" BYTEA NOT NULL,
    "manifest" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "quarantined_at" TIMESTAMPTZ(3),
    "quarantine_reason" TEXT,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("project_id","seq")
);

-- CreateTable
CREATE TABLE "blob" (
    "hash" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "blob_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "event" (
    "project_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("project_id","seq")
);

-- CreateTable
CREATE TABLE "effect" (
    "project_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "outcome_hash" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "effect_pkey" PRIMARY KEY ("project_id","key")
);

-- CreateTable
CREATE TABLE "signal" (
    "project_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "consumed_version" INTEGER,

    CONSTRAINT "signal_pkey" PRIMARY KEY ("project_id","seq")
);

-- CreateTable
CREATE TABLE "timer" (
    "project_id" UUID NOT NULL,
    "visit" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "fire_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "timer_pkey" PRIMARY KEY ("project_id","visit","event")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "traceparent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "pid_started_at" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "alive_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine" (
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "definition" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "machine_pkey" PRIMARY KEY ("name","version")
);

-- CreateTable
CREATE TABLE "stale_write" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "worker" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "write_number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stale_write_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "process" (
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "start_time" TEXT NOT NULL,
    "process_group" INTEGER NOT NULL,
    "project_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "process_pkey" PRIMARY KEY ("host","pid","start_time")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "principal_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status_code" INTEGER,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("principal_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "project_number_key" ON "project"("number");

-- CreateIndex
CREATE UNIQUE INDEX "project_name_key" ON "project"("name");

-- CreateIndex
CREATE INDEX "project_parent_id_parent_incarnation_parent_visit_idx" ON "project"("parent_id", "parent_incarnation", "parent_visit");

-- CreateIndex
CREATE INDEX "project_lease_worker_idx" ON "project"("lease_worker");

-- CreateIndex
CREATE INDEX "project_created_at_id_idx" ON "project"("created_at", "id");

-- CreateIndex
CREATE INDEX "timer_fire_at_idx" ON "timer"("fire_at");

-- CreateIndex
CREATE INDEX "stale_write_project_id_idx" ON "stale_write"("project_id");

-- CreateIndex
CREATE INDEX "process_project_id_idx" ON "process"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- What the Prisma schema cannot say.

-- The reconciler asks for work all the time, and most projects have ended.
CREATE INDEX "project_runnable_idx" ON "project"("id") WHERE "runnable";

-- A project reads its unread signals at each safe point, and the read ones pile up.
CREATE INDEX "signal_unconsumed_idx" ON "signal"("project_id", "seq") WHERE "consumed_version" IS NULL;

-- Numbers for people ("project 17"): gaps are harmless.
CREATE SEQUENCE "project_number" AS INTEGER;
