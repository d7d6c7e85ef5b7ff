/** Converts public share links of file services to addresses of the file, with one cache key for each file. */
import { ImageError } from '../image-error.ts';

/** The addresses of an image, and its cache key. */
export interface ImageLocation {
  /**
   * Equal for links to the same file with the same right to read it. Equal keys have equal candidates. Otherwise one
   * caller's link would decide which image all other callers of that key get.
   */
  key: string;
  /** Addresses to try in turn, best first; at least one. */
  candidates: string[];
  /** The service's name when the source is a share link; undefined for a plain URL. */
  service: string | undefined;
  /** The only hosts that a plain URL and its redirects may lead to; absent: any. */
  hosts?: readonly string[];
}

/** Advice for an address of a service that answers with a page instead of the file. */
export const shareAdvice = 'share the file with "Anyone with the link"';

type Rule = (url: URL, path: string[]) => ImageLocation | undefined;

/**
 * The location of a parsed source URL. The only candidate of a URL of no known service is that URL.
 *
 * Throws an `ImageError` of reason `url` for folders, and for personal OneDrive links of the newer kind, which need a
 * sign-in.
 */
export function locateImage(url: URL): ImageLocation {
  const path = url.pathname.split('/').filter((part) => part !== '');
  for (const rule of [googleDrive, dropbox, sharePoint, oneDrive, box, gitHub, nextcloud]) {
    const location = rule(url, path);
    if (location !== undefined) return location;
  }
  return { key: url.href, candidates: [url.href], service: undefined };
}

const googleId = /^[A-Za-z0-9_-]{10,128}$/;
const driveHosts = ['drive.google.com', 'docs.google.com', 'drive.usercontent.google.com'];

const googleDrive: Rule = (url, path) => {
  const isContentHost = /^lh[3-6]\.googleusercontent\.com$/.test(url.hostname);
  if (!isContentHost && !driveHosts.includes(url.hostname)) return undefined;
  const steps = withoutAccount(path);
  if (steps.includes('folders') || steps[0] === 'folderview') throw folderError('Google Drive');
  // `lh3…/d/ID=w400` carries a size behind the id.
  const pathId =
    (isContentHost && steps[0] === 'd') || (steps[0] === 'file' && steps[1] === 'd')
      ? steps[isContentHost ? 1 : 2]?.split('=')[0]
      : undefined;
  const queryPages = ['open', 'uc', 'thumbnail', 'download'];
  const queryId =
    !isContentHost && queryPages.includes(steps.at(-1) ?? '')
      ? url.searchParams.get('id')
      : undefined;
  const id = pathId ?? queryId;
  if (id === undefined || id === null || !googleId.test(id)) return undefined;
  const resourceKey = url.searchParams.get('resourcekey');
  const suffix = resourceKey === null ? '' : `&resourcekey=${encodeURIComponent(resourceKey)}`;
  return {
    key: `gdrive:${id}${suffix}`,
    candidates: [
      `https://drive.usercontent.google.com/download?id=${id}&export=download&confirm=t${suffix}`,
      `https://lh3.googleusercontent.com/d/${id}`,
      // The largest preview that the service makes.
      `https://drive.google.com/thumbnail?id=${id}&sz=w4096${suffix}`,
    ],
    service: 'Google Drive',
  };
};

/** Leaves out `u/0`, the choice among a browser's accounts, and a leading `a/example.com`. */
function withoutAccount(path: string[]): string[] {
  const steps = path[0] === 'a' ? path.slice(2) : path;
  const account = steps.findIndex((step, at) => step === 'u' && /^\d+$/.test(steps[at + 1] ?? ''));
  return account === -1 ? steps : steps.toSpliced(account, 2);
}

const dropbox: Rule = (url, path) => {
  if (!['www.dropbox.com', 'dropbox.com', 'm.dropbox.com'].includes(url.hostname)) return undefined;
  const isFolder = path[0] === 'sh' || (path[0] === 'scl' && path[1] === 'fo');
  // The path of a file in a shared folder has the name of the file after the two ids of the folder.
  const insideFolder = path[0] === 'sh' ? path.length > 3 : path.length > 4;
  if (isFolder && !insideFolder) throw folderError('Dropbox');
  const isFile = path[0] === 's' || (path[0] === 'scl' && path[1] === 'fi') || isFolder;
  if (!isFile || path.length < 2) return undefined;
  const target = new URL(`https://www.dropbox.com${url.pathname}`);
  const rlkey = url.searchParams.get('rlkey');
  if (rlkey !== null) target.searchParams.set('rlkey', rlkey);
  const key = `dropbox:${target.pathname}${target.search}`;
  const withFlag = (name: string): string => {
    const candidate = new URL(target);
    candidate.searchParams.set(name, '1');
    return candidate.href;
  };
  return { key, candidates: [withFlag('raw'), withFlag('dl')], service: 'Dropbox' };
};

const sharePoint: Rule = (url, path) => {
  if (!url.hostname.endsWith('.sharepoint.com')) return undefined;
  // `:i:` is an image, `:u:` any file, `:f:` a folder.
  const kind = /^:([a-z]):$/.exec(path[0] ?? '')?.[1];
  if (kind === undefined) return undefined;
  if (kind === 'f') throw folderError('SharePoint');
  // `e` and the rest of the query only describe where the link was copied.
  const page = `${url.host}${url.pathname}`;
  return {
    key: `sharepoint:${page}`,
    candidates: [`https://${page}?download=1`],
    service: 'SharePoint',
  };
};

const oneDrive: Rule = (url, path) => {
  if (url.hostname === '1drv.ms') {
    if (path[0] === 'f') throw folderError('OneDrive');
    if (path[1] === 'c') {
      throw new ImageError(
        'url',
        'is a personal OneDrive link, which cannot be read without a sign-in: use another service or the address of the file itself',
      );
    }
    // The token holds the right to read; the letter before it is the kind of the file.
    const [kind = '', token] = path;
    const isShare = /^[a-z]$/.test(kind) && token?.startsWith('s!') === true;
    return isShare ? oneDriveShare(`https://1drv.ms/${kind}/${token}`) : undefined;
  }
  if (url.hostname === 'onedrive.live.com') {
    const id = url.searchParams.get('resid') ?? url.searchParams.get('id');
    const authkey = url.searchParams.get('authkey');
    if (id === null || authkey === null) return undefined;
    const query = new URLSearchParams({ resid: id, authkey });
    return oneDriveShare(`https://onedrive.live.com/redir?${query.toString()}`);
  }
  return undefined;
};

/** The shares API takes a whole link in base64url (Microsoft Graph, "Encoding sharing URLs"). */
function oneDriveShare(link: string): ImageLocation {
  const encoded = Buffer.from(link).toString('base64url');
  return {
    key: `onedrive:${link}`,
    candidates: [`https://api.onedrive.com/v1.0/shares/u!${encoded}/root/content`],
    service: 'OneDrive',
  };
}

const box: Rule = (url, path) => {
  if (url.hostname !== 'box.com' && !url.hostname.endsWith('.box.com')) return undefined;
  const isPage = path[0] === 's';
  const isStatic = path[0] === 'shared' && path[1] === 'static';
  // The static address may end in a file extension.
  const name = (isPage ? path[1] : isStatic ? path[2] : undefined)?.split('.')[0];
  if (name === undefined || !/^[A-Za-z0-9]{8,64}$/.test(name)) return undefined;
  if (isPage && path[2] === 'folder') throw folderError('Box');
  const file = isPage && path[2] === 'file' ? path[3] : undefined;
  if (file !== undefined && /^\d{1,20}$/.test(file)) {
    const query = `rm=box_download_shared_file&shared_name=${name}&file_id=f_${file}`;
    return {
      key: `box:${url.host}/${name}/${file}`,
      candidates: [`https://${url.host}/index.php?${query}`],
      service: 'Box',
    };
  }
  return {
    key: `box:${url.host}/${name}`,
    candidates: [`https://${url.host}/shared/static/${name}`],
    service: 'Box',
  };
};

const gitHub: Rule = (url, path) => {
  const isPage =
    (url.hostname === 'github.com' || url.hostname === 'www.github.com') &&
    (path[2] === 'blob' || path[2] === 'raw') &&
    path.length > 4;
  if (!isPage) return undefined;
  const [owner = '', repository = ''] = path;
  const file = [owner, repository, ...path.slice(3)].join('/');
  return {
    // Differs from the key of the plain `raw` address, which has no candidate for Git LFS.
    key: `github:${file}`,
    candidates: [
      `https://raw.githubusercontent.com/${file}`,
      // For an image in Git LFS, `raw` has a text file and this address has the image.
      `https://media.githubusercontent.com/media/${file}`,
    ],
    service: 'GitHub',
  };
};

/**
 * Public links of Nextcloud and ownCloud, on any host and below any path: `/s/{token}`, also behind `index.php`. Both
 * send the file at `/s/{token}/download` (Nextcloud user manual, "File sharing"); `path` and `files` choose a file of a
 * shared folder. Any other host may use such a path too, so the link itself is the second candidate.
 */
const nextcloud: Rule = (url, path) => {
  const at = path.lastIndexOf('s');
  const token = path[at + 1] ?? '';
  const isPage = at !== -1 && path.length === at + 2 && cloudToken.test(token);
  if (!isPage) return undefined;
  const target = new URL(`${url.origin}/${path.join('/')}/download`);
  for (const name of ['path', 'files']) {
    const value = url.searchParams.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return {
    key: `nextcloud:${url.href}`,
    candidates: [target.href, url.href],
    service: 'Nextcloud or ownCloud',
  };
};

/** 15 letters and digits by default; in Nextcloud 31, users can choose a token, which may have hyphens. */
const cloudToken = /^[A-Za-z0-9-]{8,64}$/;

function folderError(service: string): ImageError {
  return new ImageError('url', `is a ${service} folder, not a file: share the image itself`);
}

const signInHosts: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'login.live.com',
  'login.microsoftonline.com',
  'account.box.com',
]);

/** Whether a redirect leads to a sign-in page: the file is not shared with everyone. */
export function isSignIn(url: URL): boolean {
  if (signInHosts.has(url.hostname)) return true;
  return url.hostname === 'www.dropbox.com' && url.pathname.startsWith('/login');
}

/**
 * The address behind Google Drive's page "cannot scan this file for viruses": the form's action with
 * its hidden fields. Undefined when `html` has no such form, or one that leads to another host.
 * The page is untrusted, because a Drive file may itself be HTML: `fetchFile` checks the target like any URL.
 */
export function driveFormTarget(html: string, page: URL): URL | undefined {
  if (!driveHosts.includes(page.hostname)) return undefined;
  for (const form of html.matchAll(/<form\b[^<>]*>/g)) {
    const action = attribute(form[0], 'action');
    if (action === undefined || !URL.canParse(action, page.href)) continue;
    const target = new URL(action, page);
    if (target.protocol !== 'https:' || !driveHosts.includes(target.hostname)) continue;
    const rest = html.slice(form.index);
    const end = rest.indexOf('</form');
    for (const [input] of rest.slice(0, end === -1 ? undefined : end).matchAll(hiddenInput)) {
      const name = attribute(input, 'name');
      if (name !== undefined) target.searchParams.set(name, attribute(input, 'value') ?? '');
    }
    return target;
  }
  return undefined;
}

/** Allows no `<` inside a tag, so that the pattern matches any page in linear time. */
const hiddenInput = /<input\b[^<>]*\btype="hidden"[^<>]*>/g;

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}
