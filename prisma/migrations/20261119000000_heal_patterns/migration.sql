-- What healed which error, shared by all projects on a repository. The id is made of repository and signature.
CREATE TABLE "heal_pattern" (
    "id" UUID NOT NULL,
    "repo" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "fix" TEXT NOT NULL,
    "diff" TEXT NOT NULL,
    "tier" TEXT NOT NULL,
    "successes" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "project" TEXT NOT NULL,
    "effects" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "heal_pattern_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "heal_pattern_used_at_id_idx" ON "heal_pattern"("used_at", "id");

-- By hash: a path may be longer than a key of a tree.
CREATE INDEX "heal_pattern_repo_idx" ON "heal_pattern" USING HASH ("repo");
