-- Which commands a project was given, and what became of them: found without a look through the histories. The queries
-- repeat these conditions word for word.
CREATE INDEX "event_group_given_idx" ON "event_group"("project_id", "seq") WHERE starts_with("events", '[["command.re');
CREATE INDEX "event_group_signals_idx" ON "event_group"("project_id", "seq") WHERE strpos("events", '"signal.') > 0;
