-- The caps of a project that no other started, and what its calls and those of its children have taken from them.
CREATE TABLE "budget" (
    "root_id" UUID NOT NULL,
    "cap_nano" BIGINT,
    "cap_tokens" BIGINT,
    "used_nano" BIGINT NOT NULL DEFAULT 0,
    "used_tokens" BIGINT NOT NULL DEFAULT 0,
    "reserved_nano" BIGINT NOT NULL DEFAULT 0,
    "reserved_tokens" BIGINT NOT NULL DEFAULT 0,
    "changed_by" UUID,

    CONSTRAINT "budget_pkey" PRIMARY KEY ("root_id")
);

-- Every reservation and settlement rewrites its row: room on the page keeps that in place.
ALTER TABLE "budget" SET (fillfactor = 50);

-- One row per call of a model, whatever became of it.
CREATE TABLE "model_call" (
    "id" UUID NOT NULL,
    "root_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "tier" TEXT,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "answered_by" TEXT,
    "status" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "effect_key" TEXT NOT NULL,
    "run" INTEGER NOT NULL,
    "worker_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "reserved_nano" BIGINT NOT NULL,
    "reserved_tokens" BIGINT NOT NULL,
    "input" INTEGER,
    "output" INTEGER,
    "cache_read" INTEGER,
    "cache_write" INTEGER,
    "reasoning" INTEGER,
    "price_version" TEXT,
    "cost_nano" BIGINT,
    "counted_nano" BIGINT,
    "counted_tokens" BIGINT,
    "estimate_error_nano" BIGINT,
    "duration_ms" INTEGER,
    "trace_id" TEXT,
    "error_code" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_call_pkey" PRIMARY KEY ("id")
);

-- Settling rewrites a row in its place: there is room on the page, and no index has a column that changes. So there is
-- none of the open ones either; those that nobody settles are looked for among the calls of budgets with reservations.
ALTER TABLE "model_call" SET (fillfactor = 60);

-- Calls are made in the order of their ids.
CREATE INDEX "model_call_root_id_id_idx" ON "model_call"("root_id", "id");
