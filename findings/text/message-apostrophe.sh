#!/usr/bin/env bash
# An apostrophe before a name in French, Italian or Catalan hides the name.
#
# Versions   intl-messageformat 12.1.5, @messageformat/core 3.4.1, Node.js 22
# Guess      "Offre d'{name}" with the name Anna is "Offre d'Anna". Both packages call their syntax ICU MessageFormat.
# Behaviour  An apostrophe before a brace quotes all up to the next apostrophe: the name is not filled in, and both
#            apostrophes are lost. @messageformat/core does so only where another apostrophe follows, so one more word
#            changes the words before it. "l'offre" alone is right in both. U+2019 is always right.
# Harm       Texts of emails and banners in three languages say "d{name}" to everyone, and a sentence that was right breaks
#            when "jusqu'au" is added behind it.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages intl-messageformat@12.1.5 @messageformat/core@3.4.1

cat >program.mjs <<'PROGRAM'
import { IntlMessageFormat } from 'intl-messageformat';
import MessageFormat from '@messageformat/core';

const values = { name: 'Anna' };
for (const message of ["L'offre de {name}", "Offre d'{name}", "Offre d'{name}, jusqu'au 5", 'Offre d’{name}']) {
  const ours = new IntlMessageFormat(message, 'fr').format(values);
  const other = new MessageFormat('fr').compile(message)(values);
  console.log(`${message} → intl-messageformat: ${ours}; @messageformat/core: ${other}`);
}
PROGRAM

run_and_compare program.mjs <<'SEEN'
L'offre de {name} → intl-messageformat: L'offre de Anna; @messageformat/core: L'offre de Anna
Offre d'{name} → intl-messageformat: Offre d{name}; @messageformat/core: Offre d'Anna
Offre d'{name}, jusqu'au 5 → intl-messageformat: Offre d{name}, jusquau 5; @messageformat/core: Offre d{name}, jusquau 5
Offre d’{name} → intl-messageformat: Offre d’Anna; @messageformat/core: Offre d’Anna
SEEN
