// Lets plain Node run the project's TypeScript: `#lib` is libs/lib/src/index.ts, and `./x.js` is `./x.ts`.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const libs = new URL('../../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('#') && context.parentURL?.startsWith(libs.href)) {
      return next(new URL(`${specifier.slice(1)}/src/index.ts`, libs).href, context);
    }
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(fileURLToPath(source))) return next(source.href, context);
    }
    return next(specifier, context);
  },
});
