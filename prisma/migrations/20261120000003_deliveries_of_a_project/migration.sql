-- What is told once asks what its project was told before, within the write: not of all that an endpoint was ever sent.
CREATE INDEX "webhook_delivery_project_id_idx" ON "webhook_delivery"("project_id");
