/** Recognizes column names of the same meaning, in other spellings, words and languages of email services. */

/** Letters that Unicode does not decompose into a letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** Removes case, accents, spaces and punctuation: `First-Name` and `{{first_name}}` give `firstname`. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßøłđæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Each line has the words for one meaning. A word with two, such as the French `nom`, has the more frequent one. */
const synonyms = [
  'fname firstname givenname forename vorname rufname prenom nombre nome primeironome imie jmeno имя fornamn fornavn voornaam etunimi keresztnev ad isim 名 الاسمالاول',
  'lname lastname surname familyname nachname familienname nom nomdefamille apellido apellidos cognome sobrenome apelido nazwisko prijmeni фамилия efternamn etternavn efternavn achternaam sukunimi vezeteknev soyad soyadi 姓 اسمالعائلة',
  'name fullname contactname displayname completename vollername nomcomplet nombrecompleto nomecompleto namn navn naam nazwaklienta имяфамилия 氏名 名前 姓名 الاسم',
  'email emailaddress mail mailaddress emailadresse mailadresse adressemail adresseemail courriel correo correoelectronico indirizzoemail enderecodeemail adresemail epost eposta почта メール メールアドレス 邮箱 电子邮件 البريدالالكتروني',
  'company companyname organization organisation organizationname firma firmenname unternehmen entreprise societe empresa azienda societa bedrijf bedrijfsnaam foretag компания 会社 会社名 公司',
  'city town ort stadt wohnort ville ciudad citta cidade miasto mesto stad plaats by kaupunki город 市区町村 城市 المدينة',
  'country land staat pays pais paese kraj zeme maa страна 国 国家 البلد',
  'zip zipcode postcode postalcode plz postleitzahl codepostal codigopostal cp cap kodpocztowy psc postnummer postinumero индекс 郵便番号 邮编',
  'phone phonenumber telephone mobile mobilephone cellphone tel telefon telefonnummer handy mobilnummer portable telefono movil celular telefone telefoon puhelin телефон 電話番号 电话',
  'birthday birthdate dateofbirth dob geburtstag geburtsdatum anniversaire datedenaissance cumpleanos fechadenacimiento datadinascita aniversario datadenascimento dataurodzenia geboortedatum fodselsdag syntymapaiva деньрождения 誕生日 生年月日 生日',
  'image imageurl picture pictureurl photo photourl avatar bild foto imagen immagine imagem afbeelding',
  'points pointsbalance loyaltypoints punkte punktestand puntos punti pontos punkty poeng poang баллы ポイント 积分',
  'title salutation anrede civilite tratamiento titolo tratamento',
];

const meanings: ReadonlyMap<string, number> = new Map(
  synonyms.flatMap((line, meaning) =>
    line.split(' ').map((word): [string, number] => [normalizeName(word), meaning]),
  ),
);

/** The meaning of a normalized name; undefined for an unknown word. Synonyms have the same meaning. */
export function meaningOf(normalized: string): number | undefined {
  return meanings.get(normalized);
}

/** The meaning of a first name, which can fill a whole name; undefined unless `normalized` means a whole name. */
export function firstOfName(normalized: string): number | undefined {
  const isName = meanings.get(normalized) === meanings.get('name');
  return isName ? meanings.get('firstname') : undefined;
}
