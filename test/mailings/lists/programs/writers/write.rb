# Writes lists with Ruby: the library CSV.
require 'csv'
require 'json'

JSON.parse(File.read(ARGV[0], encoding: 'UTF-8')).each do |job|
  options = { col_sep: job['separator'], force_quotes: job['quoteAll'] }
  options[:row_sep] = "\r\n" if job['isDos']
  CSV.open(job['path'], "wb:#{job['name']}", **options) do |csv|
    csv << job['columns'].map { |cell| cell.encode(job['name']) }
    job['rows'].each do |row|
      csv << row.map { |cell| cell.is_a?(String) ? cell.encode(job['name']) : cell }
    end
  end
end
puts({ 'ruby-csv' => "#{CSV::VERSION} of Ruby #{RUBY_VERSION}" }.to_json)
