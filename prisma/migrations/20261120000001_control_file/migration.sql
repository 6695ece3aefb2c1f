-- CreateTable
CREATE TABLE "control_file" (
    "project_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "taken" TEXT NOT NULL,
    "problem" TEXT,

    CONSTRAINT "control_file_pkey" PRIMARY KEY ("project_id")
);
