-- What a signal is named by is looked for whenever its request may have been repeated: no look through all bodies.
ALTER TABLE "signal" ADD COLUMN "operation" TEXT;

-- Bodies are canonical, so their last members tell it; what a sender says has its quotes escaped.
UPDATE "signal" SET "operation" = substring("body" FROM '"id":"([^"\\]+)","kind":"[a-z]+","visit":[0-9]+\}$');

CREATE INDEX "signal_project_id_operation_idx" ON "signal"("project_id", "operation");

-- How fast each key steers each project: when all that it has asked for would be worked off.
CREATE TABLE "steering_pace" (
    "project_id" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "free_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "steering_pace_pkey" PRIMARY KEY ("project_id","key_id")
);

-- Who waits for a person.
CREATE INDEX "project_waiting_idx" ON "project"("id") WHERE "status" IN ('waiting', 'blocked');
