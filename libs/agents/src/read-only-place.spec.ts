import { expect, it } from 'vitest';
import { readOnlyPlace } from './read-only-place.js';

it('lets commands read what others may write, and write nothing but their own /tmp', () => {
  const place = { writable: ['/tree', '/home'], readOnly: ['/tree/node_modules'], env: { HOME: '/home', CI: 'true' } };
  expect(readOnlyPlace(place)).toMatchObject({
    writable: [],
    readable: ['/tree', '/home'],
    env: { HOME: '/tmp/home', CI: 'true', npm_config_cache: '/tmp/home/.npm' },
  });
  expect(readOnlyPlace(place)).not.toHaveProperty('readOnly');
});
