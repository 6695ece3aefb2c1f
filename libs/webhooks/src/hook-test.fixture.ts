const pem = (what: string, base64: string): string => `-----BEGIN ${what}-----\n${base64}\n-----END ${what}-----\n`;

/** A certificate for hook.test that vouches for itself until 2120, and its key: nobody trusts it who is not told to. */
export const CERT = pem(
  'CERTIFICATE',
  'MIIBYjCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlob29rLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa' +
    'MBQxEjAQBgNVBAMMCWhvb2sudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM1DiaOmQE7eVqblacyCKEBMTPYrTxsed/L1+CwEdhO8MN7S' +
    'lW0hYHAKqU1hPeEi6maAbsFT/jFl4LOkxj6SpT+jSDBGMBQGA1UdEQQNMAuCCWhvb2sudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRL' +
    'TIvIkpZ1ihStVt3TZ5IAjGUefzAKBggqhkjOPQQDAgNJADBGAiEA/xjJKrNeLcI7YMV8reZqy1z83xAR2W34ADUgzEFuv8oCIQCzbCQH/kqdnMoa' +
    'o2QLIDJh3wf7NEZJfqNwoYHIRqgVtw==',
);
export const KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf3v6CCvObve0NNTuZO0ByOxETBugpeefH2CodttuA2ahRANCAATNQ4mjpkBO3lam' +
    '5WnMgihATEz2K08bHnfy9fgsBHYTvDDe0pVtIWBwCqlNYT3hIupmgG7BU/4xZeCzpMY+kqU/',
);
