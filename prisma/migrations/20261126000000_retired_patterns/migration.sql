-- A pattern that failed twice is retired: it is kept for history and never used again. A retired pattern gives up the id
-- that is made of repository and signature, so that another fix of the same error can take it.
ALTER TABLE "heal_pattern" ADD COLUMN "retired_at" TIMESTAMPTZ(3);

UPDATE "heal_pattern" SET "retired_at" = "used_at", "id" = gen_random_uuid() WHERE "failures" >= 2;
