-- What is looked for in histories long afterwards, found without a look through them: one index for all of it, as each
-- further one makes every write dearer. The queries repeat this condition word for word.
CREATE INDEX "event_group_notable_idx" ON "event_group"("project_id", "seq")
  WHERE "events" ~ '\["(gate\.opened|gate\.decided|project\.waits|project\.held|checkpoint\.restored|budget\.changed|note\.delivered|command\.re|signal\.)';
