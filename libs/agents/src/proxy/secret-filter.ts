const STAR = 0x2a;

/**
 * Blots a secret out of bytes that pass, wherever they were cut. Everything else passes as it came and at once; only
 * what may be the beginning of the secret is held back until the next bytes tell.
 */
export class SecretFilter {
  private readonly secret: Buffer;
  private held: Buffer = Buffer.alloc(0);

  constructor(secret: string) {
    this.secret = Buffer.from(secret);
  }

  pass(chunk: Buffer): Buffer {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const clean = this.blotted(bytes);
    const held = this.beginningAtEnd(clean);
    this.held = Buffer.from(clean.subarray(clean.length - held));
    return clean.subarray(0, clean.length - held);
  }

  rest(): Buffer {
    return this.held;
  }

  private blotted(bytes: Buffer): Buffer {
    if (this.secret.length === 0) return bytes;
    let clean = bytes;
    for (let at = clean.indexOf(this.secret); at >= 0; at = clean.indexOf(this.secret, at)) {
      if (clean === bytes) clean = Buffer.from(bytes);
      clean.fill(STAR, at, at + this.secret.length);
    }
    return clean;
  }

  private beginningAtEnd(bytes: Buffer): number {
    const first = this.secret[0];
    if (first === undefined) return 0;
    const longest = Math.min(this.secret.length - 1, bytes.length);
    for (let at = bytes.indexOf(first, bytes.length - longest); at >= 0; at = bytes.indexOf(first, at + 1)) {
      const tail = bytes.subarray(at);
      if (tail.equals(this.secret.subarray(0, tail.length))) return tail.length;
    }
    return 0;
  }
}
