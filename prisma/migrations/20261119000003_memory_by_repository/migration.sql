-- Each entry that is saved asks how many its repository has. By hash: a path may be longer than a key of a tree.
CREATE INDEX "memory_repo_idx" ON "memory" USING HASH ("repo");
