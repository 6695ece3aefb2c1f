import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCode } from '#kernel';
import { AddressGuard } from './address-guard.js';
import { isPublicAddress, parseRange } from './addresses.js';

const byte = fc.nat(255);
const v4 = (...parts: number[]): string => parts.join('.');
const group = fc.nat(0xffff).map((value) => value.toString(16));

const at = (...addresses: string[]) => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const guardOf = (addresses: readonly string[], allowed: readonly string[] = []) =>
  new AddressGuard(allowed, () => Promise.resolve(at(...addresses)), 1_000);
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return errorCode(error);
  }
};

describe('an address', () => {
  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.169.254',
    '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255',
    '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255',
    '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1',
    'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1',
    'fe80::1%eth0', '2606:4700::1%eth0', '', 'localhost', '127.1', '0x7f.0.0.1', '8.8.8.8 ', '8.8.8.8/32',
  ])('%j is not on the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  }); // prettier-ignore

  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '223.255.255.255',
    '2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  }); // prettier-ignore

  it('of any private network is none, however IPv6 wraps it', () => {
    const inside = fc.oneof(
      fc.tuple(byte, byte, byte).map((rest) => [10, ...rest]),
      fc.tuple(byte, byte, byte).map((rest) => [127, ...rest]),
      fc.tuple(byte, byte).map((rest) => [192, 168, ...rest]),
      fc.tuple(byte, byte).map((rest) => [169, 254, ...rest]),
      fc.tuple(fc.integer({ min: 16, max: 31 }), byte, byte).map((rest) => [172, ...rest]),
      fc.tuple(fc.integer({ min: 64, max: 127 }), byte, byte).map((rest) => [100, ...rest]),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(
      fc.property(inside, ([a = 0, b = 0, c = 0, d = 0]) => {
        const plain = v4(a, b, c, d);
        const hex = [a * 256 + b, c * 256 + d].map((one) => one.toString(16)).join(':');
        for (const address of [
          plain,
          `::ffff:${plain}`,
          `::${plain}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::`,
          `::ffff:${hex}`,
        ]) {
          expect(isPublicAddress(address)).toBe(false);
        }
      }),
    );
  });

  it('of IPv6 outside of 2000::/3 is none', () => {
    const first = fc.nat(0xffff).filter((value) => value < 0x2000 || value > 0x3fff);
    fc.assert(
      fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (head, rest) => {
        expect(isPublicAddress([head.toString(16), ...rest].join(':'))).toBe(false);
      }),
    );
  });

  it.each(['10.0.0.0/8', '::1', 'fd00::/8', '127.0.0.1'])('%s is a range', (text) => {
    expect(parseRange(text)).not.toBeNull();
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', 'fd00::/129', 'localhost', '10.0.0/8', '', '1.1.1.1/8/8'])(
    '%j is none',
    (text) => {
      expect(parseRange(text)).toBeNull();
    },
  );
});

describe('an address that messages are to go to', () => {
  it.each([
    'http://example.org/', 'https://user@example.org/', 'https://user:pass@example.org/', 'https://example.org:22/',
    'https://example.org:25/', 'https://example.org/#part', 'ftp://example.org/', 'file:///etc/passwd', 'javascript:1',
    'example.org', '', 'https://', 'https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/',
    'https://0177.0.0.1/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/', 'https://[64:ff9b::10.0.0.1]/', 'https://[fe80::1]/', 'https://0/',
    'https://①②⑦.⓪.⓪.①/', 'https://169.254.169.254/latest/meta-data', 'https://127.0.0.1./', 'https://example.org:0/',
  ])('%j is refused at once', (url) => {
    expect(codeOf(() => guardOf([]).checkUrl(url))).toBe('WEBHOOK_URL_REFUSED');
  }); // prettier-ignore

  it.each(['https://example.org/hook?x=1', 'https://example.org:8443/', 'https://8.8.8.8/', 'https://[2606:4700::1]/'])(
    '%s is taken',
    (url) => {
      expect(codeOf(() => guardOf([]).checkUrl(url))).toBe('taken');
    },
  );

  it('is refused where any address of its name is private', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['2606:4700::1', '::1'], ['::ffff:8.8.8.8']]) {
      const guard = guardOf(addresses);
      await expect(guard.checkNow('https://example.org/')).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
      const url = new URL('https://example.org/');
      await expect(guard.addressesOf(url)).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
    }
  });

  it('may have a name that stands for nothing yet; then nothing is sent', async () => {
    const guard = new AddressGuard([], () => Promise.reject(new Error('ENOTFOUND')), 1_000);
    expect((await guard.checkNow('https://later.example.org/')).hostname).toBe('later.example.org');
    const url = new URL('https://later.example.org/');
    await expect(guard.addressesOf(url)).rejects.toMatchObject({ code: 'WEBHOOK_UNRESOLVED' });
    await expect(guard.checkNow('http://later.example.org/')).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
  });

  it('has a name that is asked for once at a time, and anew by whoever comes after the answer', async () => {
    const answers: ((found: { address: string; family: number }[]) => void)[] = [];
    const guard = new AddressGuard([], () => new Promise((resolve) => answers.push(resolve)), 1_000);
    const url = new URL('https://slow.example.org/');
    const many = [guard.addressesOf(url), guard.addressesOf(url), guard.checkNow(url.href)];
    expect(answers).toHaveLength(1);
    answers[0]?.([{ address: '8.8.8.8', family: 4 }]);
    await Promise.all(many);
    const later = guard.addressesOf(url);
    expect(answers).toHaveLength(2);
    answers[1]?.([{ address: '10.0.0.1', family: 4 }]);
    await expect(later).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
  });

  it('has a name that may take its time, and no more: neither whoever registers it nor who sends waits for ever', async () => {
    let asked = 0;
    let answer: (found: { address: string; family: number }[]) => void = () => undefined;
    const guard = new AddressGuard([], () => new Promise((resolve) => ((asked += 1), (answer = resolve))), 50);
    const url = new URL('https://slow.example.org/');
    expect((await guard.checkNow(url.href)).hostname).toBe('slow.example.org');
    const late = { code: 'WEBHOOK_UNRESOLVED', message: 'slow.example.org has no address: no answer within 50 ms' };
    await expect(guard.addressesOf(url)).rejects.toMatchObject(late);
    expect(asked).toBe(1);
    answer(at('8.8.8.8'));
    await new Promise(setImmediate);
    const later = guard.addressesOf(url);
    answer(at('8.8.8.8'));
    expect(await later).toEqual(at('8.8.8.8'));
  });

  it('may be private and plain where it is named as an exception, and only there', async () => {
    const named = guardOf(['127.0.0.1'], ['Localhost', 'dev.internal']);
    expect((await named.checkNow('http://localhost:9999/')).port).toBe('9999');
    expect((await named.checkNow('https://DEV.internal./')).protocol).toBe('https:');
    await expect(named.checkNow('https://sub.dev.internal/')).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
    const ranged = guardOf(['10.1.2.3'], ['10.0.0.0/8', '::1']);
    expect((await ranged.checkNow('http://build.internal/')).hostname).toBe('build.internal');
    expect((await ranged.checkNow('http://[::1]:8080/')).port).toBe('8080');
    await expect(ranged.checkNow('http://192.168.0.1/')).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
    await expect(ranged.checkNow('http://8.8.8.8/')).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' });
  });

  it('is judged without throwing anything else, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `https://${text}`),
          fc.ipV4().map((ip) => `https://${ip}/`),
        ),
        (url) => {
          expect(['taken', 'WEBHOOK_URL_REFUSED']).toContain(codeOf(() => guardOf([]).checkUrl(url)));
        },
      ),
    );
  });
});
