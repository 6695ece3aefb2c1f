-- Who is told outside: of one project, or of all that no other started.
CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "project_id" UUID,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "description" TEXT,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "rests_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_endpoint_project_id_idx" ON "webhook_endpoint"("project_id");

CREATE INDEX "webhook_endpoint_created_at_id_idx" ON "webhook_endpoint"("created_at", "id");

-- One message to one endpoint, written with the change that it tells of.
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "endpoint_id" UUID NOT NULL,
    "project_id" UUID,
    "type" TEXT NOT NULL,
    "project_state" TEXT,
    "project_status" TEXT,
    "version" INTEGER,
    "event_seq" INTEGER,
    "details" TEXT NOT NULL,
    "outcome" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_delivery_endpoint_id_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "created_at", "id");

-- What is still to be sent, which is little beside what was.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"("endpoint_id", "due_at") WHERE "outcome" = 'pending';

CREATE TABLE "webhook_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" INTEGER,
    "error" TEXT,
    "ms" INTEGER,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id", "number")
);
