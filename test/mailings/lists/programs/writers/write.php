<?php
/** Writes lists with PHP: fputcsv, and mb_convert_encoding or iconv for the encoding. */
foreach (json_decode(file_get_contents($argv[1]), true) as $job) {
    $file = fopen('php://memory', 'w+');
    foreach ([$job['columns'], ...$job['rows']] as $row) {
        fputcsv($file, $row, $job['separator']);
    }
    rewind($file);
    $text = stream_get_contents($file);
    $name = $job['name'];
    $known = in_array($name, mb_list_encodings(), true);
    $bytes = $known ? mb_convert_encoding($text, $name, 'UTF-8') : iconv('UTF-8', $name, $text);
    if ($bytes === false) throw new Exception("iconv: $name");
    $mark = $name === 'UTF-16LE' ? "\xff\xfe" : '';
    file_put_contents($job['path'], $mark . $bytes);
}
echo json_encode(['php-fputcsv' => PHP_VERSION]);
