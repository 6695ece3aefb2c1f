CREATE TABLE "note" (
    "root_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "agent" TEXT,
    "text" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "note_pkey" PRIMARY KEY ("root_id","seq")
);

CREATE UNIQUE INDEX "note_root_id_id_key" ON "note"("root_id", "id");
