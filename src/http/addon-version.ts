/** Tells which build of the HTTP server's addon is in use: the registry's package says no upstream version. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What is known of a build. */
interface KnownAddon {
  /** Package and version that it comes from. */
  source: string;
  /** The release of uWebSockets.js that it is, as far as that can be told. */
  upstream: string;
  /** It answers 505 to a request line that a packet cuts within ` HTTP/1.1` (uWebSockets issue 1776, fixed in v20.70.0). */
  refusesCutLines: boolean;
}

const repacked: KnownAddon = {
  source: 'uws-pack 20.0.8',
  upstream: 'uWebSockets.js of 2024, before v20.52.0',
  refusesCutLines: true,
};

/** By SHA-256, of Node 22 (ABI 127). A digest of an official release is added when it was tested here. */
const knownAddons: ReadonlyMap<string, KnownAddon> = new Map([
  // Linux x64, Linux arm64, macOS arm64, macOS x64.
  ['8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af', repacked],
  ['d4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d', repacked],
  ['abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be', repacked],
  ['afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387', repacked],
]);

/** The build in use; `known` is undefined for one that was never tested here. */
export interface AddonVersion {
  sha256: string;
  known: KnownAddon | undefined;
}

/** Reads the addon's file: 7 MB, some 10 ms. Throws where there is none for this system. */
export function readAddonVersion(): AddonVersion {
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  const entry = import.meta.resolve('uWebSockets.js');
  // The repacked addon lies in a folder, the official one beside its wrapper.
  const path = [`./bin/${name}`, `./${name}`]
    .map((place) => fileURLToPath(new URL(place, entry)))
    .find((each) => existsSync(each));
  if (path === undefined) throw new Error(`uWebSockets.js has no ${name}.`);
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { sha256, known: knownAddons.get(sha256) };
}
