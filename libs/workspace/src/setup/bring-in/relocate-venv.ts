import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sitePackages } from '../installed/python-install.js';
import { kindOf, readPlainFile } from '../plain-file.js';

const SCRIPT_BYTES = 1024 * 1024;
/** Files beside the packages that name folders of the repository. */
const PATH_FILE = /(?:\.pth|\.egg-link|^__editable__.*\.py)$/;

/**
 * A virtual environment names itself by its whole path: in the first line of its scripts, in its settings, and where
 * the repository itself is installed in it. All of that is turned to its new place. Files are replaced, not written to:
 * they may be hard links.
 */
export async function relocateVenv(venv: string, from: string, to: string): Promise<void> {
  const packages = await sitePackages(venv);
  const files = [join(venv, 'pyvenv.cfg'), ...(await within(join(venv, 'bin'), /./))];
  if (packages !== null) {
    files.push(...(await within(packages, PATH_FILE)));
    const metadata = await within(packages, /\.dist-info$/);
    files.push(...metadata.map((folder) => join(folder, 'direct_url.json')));
  }
  for (const file of files) await turn(file, from, to);
}

async function turn(file: string, from: string, to: string): Promise<void> {
  const text = await readPlainFile(file, SCRIPT_BYTES);
  // A program of bytes that are no text would not survive being read and written.
  if (text === null || !text.includes(from) || text.includes('\ufffd')) return;
  const turned = text.split(from).reduce((done, rest) => done + (endsPath(rest) ? to : from) + rest);
  if (turned === text) return;
  const { mode } = await stat(file);
  await writeFile(`${file}.part`, turned, { mode });
  await rename(`${file}.part`, file);
}

/** The path of another folder may begin with this one's. */
const endsPath = (rest: string): boolean => !/^[\w.-]/.test(rest);

async function within(folder: string, name: RegExp): Promise<string[]> {
  const names = (await kindOf(folder)) === 'folder' ? await readdir(folder) : [];
  return names.filter((one) => name.test(one)).map((one) => join(folder, one));
}
