# Writes lists with Perl: Text::CSV_XS and Excel::Writer::XLSX.
use strict;
use warnings;
use Excel::Writer::XLSX;
use JSON::PP;
use Text::CSV_XS;

open my $jobs, '<', $ARGV[0] or die $!;
for my $job (@{ decode_json(join '', <$jobs>) }) {
    my @rows = ($job->{columns}, @{ $job->{rows} });
    if ($job->{program} eq 'perl-excel-writer') {
        my $workbook = Excel::Writer::XLSX->new($job->{path});
        my $sheet = $workbook->add_worksheet();
        my $date = $workbook->add_format(num_format => 'dd.mm.yyyy');
        for my $at (0 .. $#rows) {
            my @cells = @{ $rows[$at] };
            $sheet->write($at, $_, $cells[$_]) for 0 .. 3;
            if ($at == 0) { $sheet->write($at, 4, $cells[4]) }
            else { $sheet->write_date_time($at, 4, "$cells[4]T", $date) }
            $sheet->write_string($at, 5, $cells[5]);
        }
        $workbook->close();
        next;
    }
    my $eol = $job->{isDos} ? "\r\n" : "\n";
    my $csv = Text::CSV_XS->new({
        binary => 1, eol => $eol, sep_char => $job->{separator}, always_quote => $job->{quoteAll}
    });
    open my $file, ">:raw:encoding($job->{name})", $job->{path} or die $!;
    $csv->print($file, $_) for @rows;
    close $file;
}
print encode_json({
    'perl-text-csv-xs' => $Text::CSV_XS::VERSION, 'perl-excel-writer' => $Excel::Writer::XLSX::VERSION
});
