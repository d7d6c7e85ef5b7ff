/** Finds what is wrong with an address of an email, or of an image. */

/** Characters of an address at most: 64, @ and 255 of a domain. */
const addressLengthMax = 320;

const plainAddress =
  /^[^\s@"(),:;<>[\\\]]+@(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u;

/** Whether a text, without space at its ends, is an address of an email as email services take it. */
function isEmailAddress(text: string): boolean {
  return (
    plainAddress.test(text) && !text.includes('..') && !text.startsWith('.') && !text.includes('.@')
  );
}

/** What is wrong with an address of an email, with the remedy; undefined for a good one. */
export function emailProblem(text: string): string | undefined {
  if (text.length > addressLengthMax) {
    return 'is longer than an address of an email: correct it, or delete the row';
  }
  if (isEmailAddress(text)) return undefined;
  if (/^mailto:/i.test(text)) return 'has "mailto:" before the address: delete it';
  if (/<[^<>]*@[^<>]*>|"/.test(text))
    return 'has a name beside the address: leave the address alone';
  const signs = text.split('@').length - 1;
  if (signs === 0)
    return 'is no address of an email, because it has no @: correct it, or delete the row';
  if (signs > 1) return 'has more than one @: leave one address in each row';
  if (/\s/.test(text)) return 'has a space in the address: delete it';
  if (/[,;]/.test(text))
    return 'has a comma or a semicolon in the address: write a dot in its place';
  if (/\.$|\.\.|^\.|\.@|@\./.test(text)) return 'has a dot too many in the address: delete it';
  if (!/@[^@]+\.[^@]+$/.test(text))
    return 'has an address without a domain such as example.com: complete it';
  return 'is no address of an email: correct it, or delete the row';
}

/** Pages about an image, from which none can be had. Shares of file services are read. */
const pageHosts =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:photos\.google\.com|photos\.app\.goo\.gl|instagram\.com|facebook\.com|pinterest\.[a-z.]{2,6}|flickr\.com\/photos|canva\.com\/design|figma\.com)(?:\/|$)/i;

const imageName = /^[^/\\:]+\.(?:jpe?g|png|gif|webp|svg|avif|tiff?|bmp|heic)$/i;

/** What is wrong with an address of an image, with the remedy; undefined for one that can be tried. */
export function imageProblem(text: string): string | undefined {
  if (pageHosts.test(text)) {
    return 'is the address of a page with the image: give the address of the image file itself';
  }
  if (/^(?:https?:\/\/|\/\/|asset:|data:)/i.test(text)) return undefined;
  if (/^[a-z]:[\\/]|^\\\\|^file:|^\/(?:Users|home|Volumes|mnt)\/|^~\//i.test(text)) {
    return 'is a file on a computer, which nobody else can read: upload it as an asset, and give its address';
  }
  if (imageName.test(text)) {
    return 'is the name of a file without an address: put the https:// address of its folder before it';
  }
  if (/^www\.|^(?:[a-z\d-]+\.)+[a-z]{2,24}(?:\/|$)/i.test(text)) {
    return 'is an address without https:// at its beginning: add it';
  }
  return 'is no address of an image: give one that begins with https://';
}
