-- Every view of a project asks whether a simulated model took part; where none did, the index is empty.
CREATE INDEX "model_call_simulated_idx" ON "model_call"("root_id") WHERE "simulated";
