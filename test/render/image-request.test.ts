import t from 'tap';
import { isImageRequest, linkPreviews, emailClients } from '../../src/render/image-request.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

function isImage(traits: { accept?: string; fetchDestination?: string; userAgent?: string }) {
  return isImageRequest({ accept: '*/*', fetchDestination: '', userAgent: '', ...traits });
}

t.test('what a browser fetches for an image element is for a reader', async (t) => {
  t.ok(isImage({ fetchDestination: 'image', userAgent: chrome }));
  for (const fetchDestination of ['empty', 'document', 'iframe', 'script', 'nonsense']) {
    t.notOk(isImage({ fetchDestination, userAgent: chrome }), fetchDestination);
  }
});

t.test('an Accept that prefers images to everything else is for a reader', async (t) => {
  for (const accept of [
    'image/*',
    'image/png',
    'IMAGE/PNG ; q=0.2',
    // Chrome, Firefox and Safari for an image element.
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
    'image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  ]) {
    t.ok(isImage({ accept }), accept);
    t.ok(isImage({ accept, fetchDestination: 'empty' }), `${accept}, from a script`);
  }
});

t.test('an Accept that names something else as well is for a program', async (t) => {
  for (const accept of [
    '',
    '*/*',
    'image/webp,*/*',
    'image/*;q=0.5,*/*;q=0.8',
    'image/*;q=0',
    'image/*;q=x',
    'application/json',
    'application/json, text/plain, */*',
    // Clients made from an API description list every type of its answers.
    'image/png,image/jpeg,image/webp,image/avif,application/json',
    // HttpURLConnection of Java.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    // Chrome for a page.
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    ',;,q=1',
  ]) {
    t.notOk(isImage({ accept }), accept);
  }
});

t.test('email clients and link previews are readers by user agent, browsers not', async (t) => {
  for (const { name, example, pattern } of [...emailClients, ...linkPreviews]) {
    t.match(example, pattern, name);
    t.ok(isImage({ userAgent: example }), name);
    t.notOk(isImage({ userAgent: example, fetchDestination: 'empty' }), name);
  }
  for (const userAgent of [
    '',
    chrome,
    'Mozilla/5.0 ',
    'Mozilla/5.0 (compatible)',
    'curl/8.5.0',
    'node',
    'undici',
    'python-requests/2.32.3',
    'Go-http-client/2.0',
    'Java/21.0.1',
    'PostmanRuntime/7.42.0',
    'TwilioProxy/1.1',
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'whatsapp-web.js/1.26',
    'python-telegram-bot/21.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  ]) {
    t.notOk(isImage({ userAgent }), userAgent);
  }
});

t.test('what messengers and email clients are known to send is for a reader', async (t) => {
  for (const userAgent of [
    'WhatsApp/2.20.52 i',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1;line-poker/1.0',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    // Messages of Apple.
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  ]) {
    t.ok(isImage({ userAgent }), userAgent);
  }
  // Web views of email apps: Android, and WKWebView.
  const webView =
    'Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36';
  const accept = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
  t.ok(isImage({ userAgent: webView, accept }));
  t.notOk(isImage({ userAgent: webView }));
});

t.test('a long user agent costs no time', async (t) => {
  const before = process.cpuUsage();
  for (const part of [
    'Mozilla/5.0 (',
    'Synapse (bot',
    'WhatsApp',
    'Microsoft ',
    '(Mastodon',
    '\t',
  ]) {
    isImage({ userAgent: part.repeat(16_384 / part.length) });
  }
  const { user, system } = process.cpuUsage(before);
  t.ok((user + system) / 1000 < 500, `${user + system} µs`);
});
