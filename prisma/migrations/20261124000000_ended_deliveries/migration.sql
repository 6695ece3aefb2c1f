-- What ended long ago is forgotten every hour, and what ended lately is counted: neither reads all that is kept.
CREATE INDEX "webhook_delivery_finished_at_idx" ON "webhook_delivery"("finished_at");
