/** Names of months and weekdays of the Unicode CLDR 48, in small letters without points. */

/** Of each language the names of each month, with a slash between several, and the names of weekdays. */
export const dateNames: Readonly<Record<string, readonly [months: string, weekdays: string]>> = {
  de: [
    'januar/jan/jänner/jän februar/feb/feber märz/mär/maerz april/apr mai juni/jun juli/jul august/aug september/sept/sep oktober/okt november/nov dezember/dez',
    'donnerstag sonntag mittwoch freitag montag samstag dienstag do so mi fr mo sa di',
  ],
  fr: [
    'janvier/janv février/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov décembre/déc',
    'jeudi dimanche mercredi vendredi lundi samedi mardi jeu dim mer ven lun sam mar',
  ],
  es: [
    'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sept/setiembre/sep/set octubre/oct noviembre/nov diciembre/dic',
    'jueves domingo miércoles viernes lunes sábado martes jue dom mié vie lun sáb mar',
  ],
  it: [
    'gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set ottobre/ott novembre/nov dicembre/dic',
    'giovedì domenica mercoledì venerdì lunedì sabato martedì gio dom mer ven lun sab mar',
  ],
  pt: [
    'janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez',
    'quinta feira domingo quarta sexta segunda sábado terça qui dom qua sex seg sáb ter',
  ],
  nl: [
    'januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep oktober/okt november/nov december/dec',
    'donderdag zondag woensdag vrijdag maandag zaterdag dinsdag do zo wo vr ma za di',
  ],
  da: [
    'januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sep oktober/okt november/nov december/dec',
    'torsdag søndag onsdag fredag mandag lørdag tirsdag tors søn ons fre man lør tirs',
  ],
  nb: [
    'januar/jan februar/feb mars/mar april/apr mai juni/jun juli/jul august/aug september/sep oktober/okt november/nov desember/des',
    'torsdag søndag onsdag fredag mandag lørdag tirsdag tor søn ons fre man lør tir',
  ],
  sv: [
    'januari/jan februari/feb mars april/apr maj juni juli augusti/aug september/sep oktober/okt november/nov december/dec',
    'torsdag söndag onsdag fredag måndag lördag tisdag tors sön ons fre mån lör tis',
  ],
  fi: [
    'tammikuuta/tammikuu/tammi helmikuuta/helmikuu/helmi maaliskuuta/maaliskuu/maalis huhtikuuta/huhtikuu/huhti toukokuuta/toukokuu/touko kesäkuuta/kesäkuu/kesä heinäkuuta/heinäkuu/heinä elokuuta/elokuu/elo syyskuuta/syyskuu/syys lokakuuta/lokakuu/loka marraskuuta/marraskuu/marras joulukuuta/joulukuu/joulu',
    'torstaina sunnuntaina keskiviikkona perjantaina maanantaina lauantaina tiistaina to su ke pe ma la ti torstai sunnuntai keskiviikko perjantai maanantai lauantai tiistai',
  ],
  is: [
    'janúar/jan febrúar/feb mars/mar apríl/apr maí júní/jún júlí/júl ágúst/ágú september/sep október/okt nóvember/nóv desember/des',
    'fimmtudagur sunnudagur miðvikudagur föstudagur mánudagur laugardagur þriðjudagur fim sun mið fös mán lau þri',
  ],
  pl: [
    'stycznia/sty/styczeń lutego/lut/luty marca/mar/marzec kwietnia/kwi/kwiecień maja/maj czerwca/cze/czerwiec lipca/lip/lipiec sierpnia/sie/sierpień września/wrz/wrzesień października/paź/październik listopada/lis/listopad grudnia/gru/grudzień',
    'czwartek niedziela środa piątek poniedziałek sobota wtorek czw niedz śr pt pon sob wt',
  ],
  cs: [
    'ledna/leden/led února/únor/úno března/březen/bře dubna/duben/dub května/květen/kvě června/červen/čvn července/červenec/čvc srpna/srpen/srp září/zář října/říjen/říj listopadu/listopad/lis prosince/prosinec/pro',
    'čtvrtek neděle středa pátek pondělí sobota úterý čt ne st pá po so út',
  ],
  sk: [
    'januára/január/jan februára/február/feb marca/marec/mar apríla/apríl/apr mája/máj júna/jún júla/júl augusta/august/aug septembra/september/sep októbra/október/okt novembra/november/nov decembra/december/dec',
    'štvrtok nedeľa streda piatok pondelok sobota utorok št ne st pi po so ut',
  ],
  hu: [
    'január/jan február/febr március/márc április/ápr május/máj június/jún július/júl augusztus/aug szeptember/szept október/okt november/nov december/dec',
    'csütörtök vasárnap szerda péntek hétfő szombat kedd cs v sze p h szo k',
  ],
  ro: [
    'ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug septembrie/sept octombrie/oct noiembrie/nov decembrie/dec',
    'joi duminică miercuri vineri luni sâmbătă marți dum mie vin lun sâm mar',
  ],
  bg: [
    'януари февруари март април май юни юли август септември октомври ноември декември',
    'четвъртък неделя сряда петък понеделник събота вторник чт нд ср пт пн сб вт',
  ],
  el: [
    'ιανουαρίου/ιαν φεβρουαρίου/φεβ μαρτίου/μαρ απριλίου/απρ μαΐου/μαΐ ιουνίου/ιουν ιουλίου/ιουλ αυγούστου/αυγ σεπτεμβρίου/σεπ οκτωβρίου/οκτ νοεμβρίου/νοε δεκεμβρίου/δεκ',
    'πέμπτη κυριακή τετάρτη παρασκευή δευτέρα σάββατο τρίτη πέμ κυρ τετ παρ δευ σάβ τρί',
  ],
  ru: [
    'января/янв/январь февраля/февр/февраль марта/мар/март апреля/апр/апрель мая/май июня/июн/июнь июля/июл/июль августа/авг/август сентября/сент/сентябрь октября/окт/октябрь ноября/нояб/ноябрь декабря/дек/декабрь',
    'четверг воскресенье среда пятница понедельник суббота вторник чт вс ср пт пн сб вт',
  ],
  be: [
    'студзеня/сту/студзень лютага/лют/люты сакавіка/сак/сакавік красавіка/кра/красавік мая/май чэрвеня/чэр/чэрвень ліпеня/ліп/ліпень жніўня/жні/жнівень верасня/вер/верасень кастрычніка/кас/кастрычнік лістапада/ліс/лістапад снежня/сне/снежань',
    'чацвер нядзеля серада пятніца панядзелак субота аўторак чц нд ср пт пн сб аў',
  ],
  uk: [
    'січня/січ/січень лютого/лют/лютий березня/бер/березень квітня/квіт/квітень травня/трав/травень червня/черв/червень липня/лип/липень серпня/серп/серпень вересня/вер/вересень жовтня/жовт/жовтень листопада/лист/листопад грудня/груд/грудень',
    'четвер неділя середа пʼятниця понеділок субота вівторок чт нд ср пт пн сб вт',
  ],
  sr: [
    'јануар/јан/januar/jan фебруар/феб/februar/feb март/мар/mart/mar април/апр/april/apr мај/maj јун/jun јул/jul август/авг/avgust/avg септембар/сеп/septembar/sep октобар/окт/oktobar/okt новембар/нов/novembar/nov децембар/дец/decembar/dec',
    'четвртак недеља среда петак понедељак субота уторак чет нед сре пет пон суб уто četvrtak nedelja sreda petak ponedeljak subota utorak',
  ],
  hr: [
    'siječnja/sij/siječanj veljače/velj/veljača ožujka/ožu/ožujak travnja/tra/travanj svibnja/svi/svibanj lipnja/lip/lipanj srpnja/srp/srpanj kolovoza/kol/kolovoz rujna/ruj/rujan listopada/lis/listopad studenoga/stu/studeni prosinca/pro/prosinac',
    'četvrtak nedjelja srijeda petak ponedjeljak subota utorak čet ned sri pet pon sub uto',
  ],
  sl: [
    'januar/jan februar/feb marec/mar april/apr maj junij/jun julij/jul avgust/avg september/sep oktober/okt november/nov december/dec',
    'četrtek nedelja sreda petek ponedeljek sobota torek čet ned sre pet pon sob tor',
  ],
  mk: [
    'јануари/јан февруари/фев март/мар април/апр мај јуни/јун јули/јул август/авг септември/сеп октомври/окт ноември/ное декември/дек',
    'четврток недела среда петок понеделник сабота вторник чет нед сре пет пон саб вто',
  ],
  sq: [
    'janar/jan shkurt/shk mars/mar prill/pri maj qershor/qer korrik/korr gusht/gush shtator/sht tetor/tet nëntor/nën dhjetor/dhj',
    'e enjte diel mërkurë premte hënë shtunë martë enj die mër pre hën sht mar',
  ],
  lt: [
    'sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis liepos/liepa rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis',
    'ketvirtadienis sekmadienis trečiadienis penktadienis pirmadienis šeštadienis antradienis kt sk tr pn pr št an',
  ],
  lv: [
    'janvāris/janv februāris/febr marts aprīlis/apr maijs jūnijs/jūn jūlijs/jūl augusts/aug septembris/sept oktobris/okt novembris/nov decembris/dec',
    'ceturtdiena svētdiena trešdiena piektdiena pirmdiena sestdiena otrdiena ceturtd svētd trešd piektd pirmd sestd otrd',
  ],
  et: [
    'jaanuar/jaan veebruar/veebr märts aprill/apr mai juuni juuli august/aug september/sept oktoober/okt november/nov detsember/dets',
    'neljapäev pühapäev kolmapäev reede esmaspäev laupäev teisipäev n p k r e l t',
  ],
  tr: [
    'ocak/oca şubat/şub mart/mar nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki kasım/kas aralık/ara',
    'perşembe pazar çarşamba cuma pazartesi cumartesi salı per paz çar cum pzt cmt sal',
  ],
  az: [
    'yanvar/yan fevral/fev mart/mar aprel/apr may iyun/iyn iyul/iyl avqust/avq sentyabr/sen oktyabr/okt noyabr/noy dekabr/dek',
    'cümə axşamı bazar çərşənbə ertəsi şənbə c a b ç e ş',
  ],
  ka: [
    'იანვარი/იან თებერვალი/თებ მარტი/მარ აპრილი/აპრ მაისი/მაი ივნისი/ივნ ივლისი/ივლ აგვისტო/აგვ სექტემბერი/სექ ოქტომბერი/ოქტ ნოემბერი/ნოე დეკემბერი/დეკ',
    'ხუთშაბათი კვირა ოთხშაბათი პარასკევი ორშაბათი შაბათი სამშაბათი ხუთ კვი ოთხ პარ ორშ შაბ სამ',
  ],
  hy: [
    'հունվարի/հնվ/հունվար փետրվարի/փտվ/փետրվար մարտի/մրտ/մարտ ապրիլի/ապր/ապրիլ մայիսի/մյս/մայիս հունիսի/հնս/հունիս հուլիսի/հլս/հուլիս օգոստոսի/օգս/օգոստոս սեպտեմբերի/սեպ/սեպտեմբեր հոկտեմբերի/հոկ/հոկտեմբեր նոյեմբերի/նոյ/նոյեմբեր դեկտեմբերի/դեկ/դեկտեմբեր',
    'հինգշաբթի կիրակի չորեքշաբթի ուրբաթ երկուշաբթի շաբաթ երեքշաբթի հնգ կիր չրք ուր երկ շբթ երք',
  ],
  he: [
    'ינואר/ינו פברואר/פבר מרץ אפריל/אפר מאי יוני יולי אוגוסט/אוג ספטמבר/ספט אוקטובר/אוק נובמבר/נוב דצמבר/דצמ',
    'יום חמישי ראשון רביעי שישי שני שבת שלישי ה א ד ו ב ג',
  ],
  ar: [
    'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر',
    'الخميس الأحد الأربعاء الجمعة الاثنين السبت الثلاثاء',
  ],
  fa: [
    'ژانویهٔ/ژانویه فوریهٔ/فوریه مارس آوریل مهٔ/مه ژوئن ژوئیهٔ/ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر',
    'پنجشنبه یکشنبه چهارشنبه جمعه دوشنبه شنبه سه‌شنبه',
  ],
  ur: [
    'جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر',
    'جمعرات اتوار بدھ جمعہ پیر ہفتہ منگل',
  ],
  hi: [
    'जनवरी/जन फ़रवरी/फ़र मार्च अप्रैल मई जून जुलाई/जुल अगस्त/अग सितंबर/सित अक्टूबर/अक्टू नवंबर/नव दिसंबर/दिस',
    'गुरुवार रविवार बुधवार शुक्रवार सोमवार शनिवार मंगलवार गुरु रवि बुध शुक्र सोम शनि मंगल',
  ],
  bn: [
    'জানুয়ারি/জানু ফেব্রুয়ারি/ফেব মার্চ এপ্রিল/এপ্রি মে জুন জুলাই/জুল আগস্ট/আগ সেপ্টেম্বর/সেপ/সেপ্ট অক্টোবর/অক্টো নভেম্বর/নভে ডিসেম্বর/ডিসে',
    'বৃহস্পতিবার রবিবার বুধবার শুক্রবার সোমবার শনিবার মঙ্গলবার বৃহস্পতি রবি বুধ শুক্র সোম শনি মঙ্গল',
  ],
  mr: [
    'जानेवारी/जाने फेब्रुवारी/फेब्रु मार्च एप्रिल/एप्रि मे जून जुलै ऑगस्ट/ऑग सप्टेंबर/सप्टें ऑक्टोबर/ऑक्टो नोव्हेंबर/नोव्हें डिसेंबर/डिसें',
    'गुरुवार रविवार बुधवार शुक्रवार सोमवार शनिवार मंगळवार गुरु रवि बुध शुक्र सोम शनि मंगळ',
  ],
  gu: [
    'જાન્યુઆરી/જાન્યુ ફેબ્રુઆરી/ફેબ્રુ માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર/સપ્ટે ઑક્ટોબર/ઑક્ટો નવેમ્બર/નવે ડિસેમ્બર/ડિસે',
    'ગુરુવાર રવિવાર બુધવાર શુક્રવાર સોમવાર શનિવાર મંગળવાર ગુરુ રવિ બુધ શુક્ર સોમ શનિ મંગળ',
  ],
  pa: [
    'ਜਨਵਰੀ/ਜਨ ਫ਼ਰਵਰੀ/ਫ਼ਰ ਮਾਰਚ ਅਪ੍ਰੈਲ/ਅਪ੍ਰੈ ਮਈ ਜੂਨ ਜੁਲਾਈ/ਜੁਲਾ ਅਗਸਤ/ਅਗ ਸਤੰਬਰ/ਸਤੰ ਅਕਤੂਬਰ/ਅਕਤੂ ਨਵੰਬਰ/ਨਵੰ ਦਸੰਬਰ/ਦਸੰ',
    'ਵੀਰਵਾਰ ਐਤਵਾਰ ਬੁੱਧਵਾਰ ਸ਼ੁੱਕਰਵਾਰ ਸੋਮਵਾਰ ਸ਼ਨੀਵਾਰ ਮੰਗਲਵਾਰ ਵੀਰ ਐਤ ਬੁੱਧ ਸ਼ੁੱਕਰ ਸੋਮ ਸ਼ਨੀ ਮੰਗਲ',
  ],
  ta: [
    'ஜனவரி/ஜன பிப்ரவரி/பிப் மார்ச்/மார் ஏப்ரல்/ஏப் மே ஜூன் ஜூலை ஆகஸ்ட்/ஆக செப்டம்பர்/செப் அக்டோபர்/அக் நவம்பர்/நவ டிசம்பர்/டிச',
    'வியாழன் ஞாயிறு புதன் வெள்ளி திங்கள் சனி செவ்வாய் வியா ஞாயி புத வெள் திங் செவ்',
  ],
  te: [
    'జనవరి/జన ఫిబ్రవరి/ఫిబ్ర మార్చి ఏప్రిల్/ఏప్రి మే జూన్ జులై ఆగస్టు/ఆగ సెప్టెంబర్/సెప్టెం అక్టోబర్/అక్టో నవంబర్/నవం డిసెంబర్/డిసెం',
    'గురువారం ఆదివారం బుధవారం శుక్రవారం సోమవారం శనివారం మంగళవారం గురు ఆది బుధ శుక్ర సోమ శని మంగళ',
  ],
  kn: [
    'ಜನವರಿ/ಜನ ಫೆಬ್ರವರಿ/ಫೆಬ್ರ ಮಾರ್ಚ್ ಏಪ್ರಿಲ್/ಏಪ್ರಿ ಮೇ ಜೂನ್ ಜುಲೈ ಆಗಸ್ಟ್/ಆಗ ಸೆಪ್ಟೆಂಬರ್/ಸೆಪ್ಟೆಂ ಅಕ್ಟೋಬರ್/ಅಕ್ಟೋ ನವೆಂಬರ್/ನವೆಂ ಡಿಸೆಂಬರ್/ಡಿಸೆಂ',
    'ಗುರುವಾರ ಭಾನುವಾರ ಬುಧವಾರ ಶುಕ್ರವಾರ ಸೋಮವಾರ ಶನಿವಾರ ಮಂಗಳವಾರ ಗುರು ಭಾನು ಬುಧ ಶುಕ್ರ ಸೋಮ ಶನಿ ಮಂಗಳ',
  ],
  ml: [
    'ജനുവരി/ജനു ഫെബ്രുവരി/ഫെബ്രു മാർച്ച്/മാർ ഏപ്രിൽ/ഏപ്രി മേയ് ജൂൺ ജൂലൈ ഓഗസ്റ്റ്/ഓഗ സെപ്റ്റംബർ/സെപ്റ്റം ഒക്‌ടോബർ/ഒക്ടോ നവംബർ/നവം ഡിസംബർ/ഡിസം',
    'വ്യാഴാഴ്‌ച ഞായറാഴ്‌ച ബുധനാഴ്‌ച വെള്ളിയാഴ്‌ച തിങ്കളാഴ്‌ച ശനിയാഴ്‌ച ചൊവ്വാഴ്ച വ്യാഴം ഞായർ ബുധൻ വെള്ളി തിങ്കൾ ശനി ചൊവ്വ ചൊവ്വാഴ്‌ച',
  ],
  ne: [
    'जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर',
    'बिहिबार आइतबार बुधबार शुक्रबार सोमबार शनिबार मङ्गलबार बिहि आइत बुध शुक्र सोम शनि मङ्गल',
  ],
  si: [
    'දුරුතු නවම් මැදින් බක් වෙසක් පොසොන් ඇසළ නිකිණි බිනර වප් ඉල් උඳුවප්',
    'බ්‍රහස්පතින්දා ඉරිදා බදාදා සිකුරාදා සඳුදා සෙනසුරාදා අඟහරුවාදා බ්‍රහස් සිකු සෙන අඟහ',
  ],
  th: [
    'มกราคม/มค กุมภาพันธ์/กพ มีนาคม/มีค เมษายน/เมย พฤษภาคม/พค มิถุนายน/มิย กรกฎาคม/กค สิงหาคม/สค กันยายน/กย ตุลาคม/ตค พฤศจิกายน/พย ธันวาคม/ธค',
    'วันพฤหัสบดี วันอาทิตย์ วันพุธ วันศุกร์ วันจันทร์ วันเสาร์ วันอังคาร พฤหัส อาทิตย์ พุธ ศุกร์ จันทร์ เสาร์ อังคาร',
  ],
  my: [
    'ဇန်နဝါရီ/ဇန် ဖေဖော်ဝါရီ/ဖေ မတ် ဧပြီ မေ ဇွန် ဇူလိုင်/ဇူ ဩဂုတ် စက်တင်ဘာ/စက် အောက်တိုဘာ/အောက် နိုဝင်ဘာ/နို ဒီဇင်ဘာ/ဒီ',
    'ကြာသပတေး တနင်္ဂနွေ ဗုဒ္ဓဟူး သောကြာ တနင်္လာ စနေ အင်္ဂါ',
  ],
  id: [
    'januari/jan februari/feb maret/mar april/apr mei juni/jun juli/jul agustus/agu september/sep oktober/okt november/nov desember/des',
    'kamis minggu rabu jumat senin sabtu selasa kam min rab jum sen sab sel',
  ],
  ms: [
    'januari/jan februari/feb mac april/apr mei jun julai/jul ogos/ogo september/sep oktober/okt november/nov disember/dis',
    'khamis ahad rabu jumaat isnin sabtu selasa kha ahd rab jum isn sab sel',
  ],
  fil: [
    'enero/ene pebrero/peb marso/mar abril/abr mayo/may hunyo/hun hulyo/hul agosto/ago setyembre/set oktubre/okt nobyembre/nob disyembre/dis',
    'huwebes linggo miyerkules biyernes lunes sabado martes huw lin miy biy lun sab mar',
  ],
  vi: ['- - - - - - - - - - - -', 'thứ năm chủ nhật tư sáu hai bảy ba cn'],
  sw: [
    'januari/jan februari/feb machi/mac aprili/apr mei juni/jun julai/jul agosti/ago septemba/sep oktoba/okt novemba/nov desemba/des',
    'alhamisi jumapili jumatano ijumaa jumatatu jumamosi jumanne',
  ],
  af: [
    'januarie/jan februarie/feb maart/mrt april/apr mei junie/jun julie/jul augustus/aug september/sep oktober/okt november/nov desember/des',
    'donderdag sondag woensdag vrydag maandag saterdag dinsdag do so wo vr ma sa di',
  ],
  ca: [
    'gener/gen febrer/febr març dabril/dabr/abril/abr maig juny juliol/jul dagost/dag/agost/ag setembre/set doctubre/doct/octubre/oct novembre/nov desembre/des',
    'dijous diumenge dimecres divendres dilluns dissabte dimarts dj dg dc dv dl ds dt',
  ],
  gl: [
    'xaneiro/xan febreiro/feb marzo/mar abril/abr maio xuño xullo/xul agosto/ago setembro/set outubro/out novembro/nov decembro/dec',
    'xoves domingo mércores venres luns sábado martes xov dom mér ven sáb mar',
  ],
  cy: [
    'ionawr/ion chwefror/chwef/chw mawrth/maw ebrill/ebr mai mehefin/meh gorffennaf/gorff/gor awst medi hydref/hyd tachwedd/tach rhagfyr/rhag',
    'dydd iau sul mercher gwener llun sadwrn mawrth mer gwen sad maw gwe',
  ],
};
