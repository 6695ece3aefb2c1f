-- What caps were, and the approvals that they follow from: found without a look through the histories. The query repeats
-- this condition word for word.
CREATE INDEX "event_group_caps_idx" ON "event_group"("project_id", "seq")
  WHERE "events" ~ '\["(budget\.changed|gate\.decided)",\{';
