/**
 * Checks the requirements of a scenario beside this repository: programs of the system, and the packages of the peers.
 */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runChild } from './children.ts';

const peerFolder = join(import.meta.dirname, '../peers');

/** Whether a program of this name is in the PATH. */
export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The peers' packages with their versions. */
export function peerVersions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(peerFolder, 'package.json'), 'utf8'));
  return dependencies;
}

/** Installs the peers' packages unless all are installed in their versions. */
export async function installPeers(): Promise<void> {
  const isInstalled = ([name, version]: [string, string]): boolean => {
    const path = join(peerFolder, 'node_modules', name, 'package.json');
    return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === version;
  };
  if (Object.entries(peerVersions()).every(isInstalled)) return;
  console.log('Installing the packages of bench/peers …');
  const options = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runChild('npm', ['install', '--prefix', peerFolder, ...options]);
}
