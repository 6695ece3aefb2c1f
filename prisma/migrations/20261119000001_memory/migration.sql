-- What projects learnt, and what people told them. It outlives projects, so it refers to none.
CREATE TABLE "memory" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "repo" TEXT,
    "domains" TEXT[],
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "project" TEXT,
    "fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "learnt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    -- Without punctuation: the parser would keep a path, a host or a tag as one word, or leave it out.
    "search" TSVECTOR GENERATED ALWAYS AS (
        setweight(to_tsvector('english', translate("title", '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), 'A') ||
        to_tsvector('english', translate("body", '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
    ) STORED,

    CONSTRAINT "memory_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "memory_fingerprint_key" ON "memory"("fingerprint");

CREATE INDEX "memory_created_at_id_idx" ON "memory"("created_at", "id");

CREATE INDEX "memory_expires_at_idx" ON "memory"("expires_at");

CREATE INDEX "memory_search_idx" ON "memory" USING GIN ("search");
