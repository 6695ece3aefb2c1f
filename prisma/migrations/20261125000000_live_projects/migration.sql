-- Who is at work in a repository, found without a look at all that ever ended there. The queries repeat this condition
-- word for word.
CREATE INDEX "project_live_idx" ON "project"("repo_path", "created_at" DESC, "id" DESC)
  WHERE "parent_id" IS NULL AND "status" NOT IN ('completed', 'aborted', 'failed');
