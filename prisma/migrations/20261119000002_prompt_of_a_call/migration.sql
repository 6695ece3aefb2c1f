-- The version of the prompt that a call was made with, such as review@1. Null where the task named none.
ALTER TABLE "model_call" ADD COLUMN "prompt" TEXT;
