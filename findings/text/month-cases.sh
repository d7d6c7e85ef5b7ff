#!/usr/bin/env bash
# A date in Czech, Slovak, Greek or Finnish has the month in the wrong case.
#
# Versions   dayjs 1.11.23, moment 2.31.0, date-fns 4.4.0, Node.js 22 (Intl, CLDR 48)
# Guess      "27 November" has the genitive where the language needs it, as all these libraries have it for Polish and
#            Russian.
# Behaviour  dayjs writes the nominative, as "27 November" alone on a calendar, for four languages, and moment for two of
#            them. Catalan lacks its "de" in dayjs and date-fns. date-fns is right for the others.
# Harm       "Platí do 27 listopad" on the banner of a Czech shop reads as a mistake of the sender.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages dayjs@1.11.23 moment@2.31.0 date-fns@4.4.0

cat >program.cjs <<'PROGRAM'
const dayjs = require('dayjs');
const moment = require('moment');
const { format } = require('date-fns');
const locales = require('date-fns/locale');

const date = new Date(2026, 10, 27);
for (const locale of ['pl', 'ru', 'cs', 'sk', 'el', 'fi', 'ca']) {
  require(`dayjs/locale/${locale}`);
  require(`moment/locale/${locale}`);
  const months = {
    Intl: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' })
      .formatToParts(date)
      .find(({ type }) => type === 'month').value,
    dayjs: dayjs(date).locale(locale).format('D MMMM').slice(3),
    moment: moment(date).locale(locale).format('D MMMM').slice(3),
    'date-fns': format(date, 'd MMMM', { locale: locales[locale] }).slice(3),
  };
  console.log(`${locale}: ${Object.entries(months).map((pair) => pair.join(' ')).join(', ')}`);
}
PROGRAM

run_and_compare program.cjs <<'SEEN'
pl: Intl listopada, dayjs listopada, moment listopada, date-fns listopada
ru: Intl ноября, dayjs ноября, moment ноября, date-fns ноября
cs: Intl listopadu, dayjs listopad, moment listopadu, date-fns listopadu
sk: Intl novembra, dayjs november, moment november, date-fns novembra
el: Intl Νοεμβρίου, dayjs Νοέμβριος, moment Νοεμβρίου, date-fns Νοεμβρίου
fi: Intl marraskuuta, dayjs marraskuu, moment marraskuu, date-fns marraskuuta
ca: Intl de novembre, dayjs Novembre, moment de novembre, date-fns novembre
SEEN
