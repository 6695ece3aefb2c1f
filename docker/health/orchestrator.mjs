// Healthy when the API says that it is ready.
const port = process.env.QRALPH_PORT ?? '3000';
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(3_000) });
if (!answer.ok) {
  console.error(await answer.text());
  process.exitCode = 1;
}
